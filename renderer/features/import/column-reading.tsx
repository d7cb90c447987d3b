// The choice of another way to read a column: numbers without their separators, or dates as ISO 8601.
import type { ReactNode } from 'react';
import type { ColumnFacts } from '#shared/protocol/index.ts';
import { readingSql } from '#shared/import/readings.ts';
import type { ImportSession } from './import-session.ts';
import { exampleOf, labelOf } from './reading-labels.ts';
import type { ShownColumn } from './shown-column.ts';

interface ColumnReadingProps {
  readonly session: ImportSession;
  readonly column: ShownColumn & { readonly facts: ColumnFacts };
}

const [AS_WRITTEN, OWN] = ['written', 'own'] as const;

export function ColumnReading({ session, column: { choice, at, facts } }: ColumnReadingProps): ReactNode {
  const { readings } = facts;
  const { expression } = choice;
  const chosen = readings.findIndex((reading) => readingSql(reading) === expression);
  const value = expression === '' ? AS_WRITTEN : chosen < 0 ? OWN : String(chosen);
  return (
    <select
      className="small-field"
      aria-label={`Values of ${choice.source}`}
      value={value}
      title={chosen < 0 ? undefined : exampleOf(readings[chosen]!)}
      onChange={(event) => session.readColumn(at, readings[Number(event.target.value)] ?? null)}
    >
      <option value={AS_WRITTEN}>As written</option>
      {readings.map((reading, index) => (
        <option key={labelOf(reading)} value={index}>
          {labelOf(reading)}
        </option>
      ))}
      {value === OWN && (
        <option value={OWN} disabled>
          Own expression
        </option>
      )}
    </select>
  );
}
