/** The options of a command, as `readOptions` takes them. */
type Declared = Readonly<
  Record<
    string,
    {
      readonly type: 'string' | 'boolean';
      readonly multiple?: boolean;
      readonly default?: string | boolean | string[];
    }
  >
>;

type Value<Option extends Declared[string]> = Option extends { readonly type: 'boolean' }
  ? boolean
  : Option extends { readonly multiple: true }
    ? readonly string[]
    : string;

type WithDefault<Options extends Declared> = {
  [Name in keyof Options]: Options[Name] extends { readonly default: unknown } ? Name : never;
}[keyof Options];

/** The values of declared options: each is undefined where it was not given and has no default. */
export type OptionValues<Options extends Declared> = {
  readonly [Name in WithDefault<Options>]: Value<Options[Name]>;
} & {
  readonly [Name in Exclude<keyof Options, WithDefault<Options>>]?: Value<Options[Name]> | undefined;
};
