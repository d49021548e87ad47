import { knownSlots, type RowContext } from '../../../../sandbox/software/slots.ts';
import type { RowShape } from '../../../../sandbox/software/wordings/row-shape.ts';
import { allRowShapes } from '../all-row-shapes.ts';
import { type Parsed, parseAs, type RowLines } from './row-parser.ts';

/** The text as a row of each shape that it could be of; weak lines only where they are asked for by key. */
export function parseRow(text: string, context: RowContext, weak: readonly string[] = []): readonly Parsed[] {
  const known = knownSlots(context);
  return allRowShapes
    .map((shape) => withoutWeak(shape, weak))
    .flatMap((shape) => {
      const fits =
        shape.on === 'panel'
          ? context.panelLevel
          : !context.panelLevel && (context.entityType === null || shape.on.includes(context.entityType));
      const parsed = fits ? parseAs(shape, text, known) : undefined;
      return parsed ? [parsed] : [];
    });
}

function withoutWeak(shape: RowShape, asked: readonly string[]): RowShape {
  const out = shape.weak?.filter((key) => !asked.includes(key)) ?? [];
  if (out.length === 0) return shape;
  const lines = Object.entries(shape.lines).filter(([key]) => !out.includes(key));
  return { ...shape, lines: Object.fromEntries(lines) };
}

/** The reading of a row in the most lines, or undefined where the software writes no such row. */
export function readRow(text: string, context: RowContext): RowLines | undefined {
  return finestOf(parseRow(text, context)) ?? finestOf(parseRow(text, context, weakKeys));
}

const weakKeys = allRowShapes.flatMap(({ weak = [] }) => weak);

function finestOf(parsed: readonly Parsed[]): RowLines | undefined {
  const found = parsed.map((one) => one.finest()).filter((lines) => lines !== undefined);
  return found.toSorted((one, other) => other.length - one.length)[0];
}
