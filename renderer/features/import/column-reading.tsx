// The choice of another way to read a column: numbers without their separators, or dates as ISO 8601. Each is shown by an example.
import type { ReactNode } from 'react';
import type { ColumnFacts, Reading } from '#shared/protocol/index.ts';
import { readingSql } from '#shared/import/readings.ts';
import type { ImportSession } from './import-session.ts';
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
      onChange={(event) => session.readColumn(at, readings[Number(event.target.value)] ?? null)}
    >
      <option value={AS_WRITTEN}>As written</option>
      {readings.map((reading, index) => (
        <option key={exampleOf(reading)} value={index}>
          {exampleOf(reading)}
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

/** “1,234.5 is 1234.5” */
function exampleOf(reading: Reading): string {
  if (reading.kind === 'dates') {
    const { first, separator } = reading;
    const parts = { day: ['31', '12', '2026'], month: ['12', '31', '2026'], year: ['2026', '12', '31'] }[first];
    return `${first === 'year' ? 'Date' : `${first === 'day' ? 'Day' : 'Month'} first`}: ${parts.join(separator)} is 2026-12-31`;
  }
  const { thousands, point, isWhole } = reading;
  if (thousands === null) return `Number: 1${point}234 is 1.234`;
  return isWhole ? `Number: 1${thousands}234 is 1234` : `Number: 1${thousands}234${point}5 is 1234.5`;
}
