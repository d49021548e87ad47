import * as z from 'zod';

/** The fields that are read of the message that CloudWatch publishes when an alarm changes its state. */
const alarmSchema = z.lazy(() =>
  z.object({
    AlarmName: z.string(),
    AlarmDescription: z.string().nullish(),
    NewStateValue: z.enum(['ALARM', 'OK', 'INSUFFICIENT_DATA']),
    OldStateValue: z.string().optional(),
    NewStateReason: z.string().optional(),
    StateChangeTime: z.string(),
  }),
);

/** A change of state of one of the notifier's own alarms, as it is stored. */
export const alarmChangeSchema = z.lazy(() =>
  z.object({
    /** As `no-successful-poll`; the heading in docs/runbook.md. */
    alarm: z.string(),
    /** The catalogue that it is about; null for an alarm of the whole deployment. */
    catalogue: z.string().nullable(),
    state: z.enum(['alarm', 'ok']),
    /** One sentence that ends in what to do. */
    description: z.string(),
    /** What was seen, in sentences; of a recovery, what came of it. */
    detail: z.string().exactOptional(),
    /** ISO 8601. */
    at: z.string(),
  }),
);
/** A change of state of one of the notifier's own alarms. */
export type AlarmChange = Readonly<z.output<typeof alarmChangeSchema>>;

/**
 * The change of state that a message of the alarm topic states; null for any other message, and where the state
 * is neither alarm nor OK.
 */
export function readAlarm(
  message: unknown,
  { prefix, catalogues }: { readonly prefix: string; readonly catalogues: readonly string[] },
): AlarmChange | null {
  const { data } = alarmSchema.safeParse(message);
  if (!data || data.NewStateValue === 'INSUFFICIENT_DATA' || !data.AlarmName.startsWith(`${prefix}-`))
    return null;
  const name = data.AlarmName.slice(prefix.length + 1);
  const catalogue = catalogues.find((each) => name.startsWith(`${each}-`)) ?? null;
  const at = new Date(data.StateChangeTime);
  return {
    alarm: catalogue === null ? name : name.slice(catalogue.length + 1),
    catalogue,
    state: data.NewStateValue === 'ALARM' ? 'alarm' : 'ok',
    description: data.AlarmDescription ?? '',
    at: Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString(),
  };
}
