// A step of a file of SQL on its way to the engine's thread.
import type { DumpStep } from '../sql/dump-steps.ts';
import type { InsertedRecords } from '../sql/sql-items.ts';
import type { CopiedBatch } from '../sql/copy-rows.ts';
import { packBatch, unpackBatch, type SentBatch } from './sent-batch.ts';

type WithBatch = InsertedRecords | ({ readonly kind: 'copied' } & CopiedBatch);
type Sent<S> = S extends WithBatch ? Omit<S, 'batch'> & { readonly sent: SentBatch } : S;
export type SentStep = Sent<DumpStep>;

/** Copies what is valid until the next step only. @param memory for a batch, reused where it fits */
export function packStep(step: DumpStep, memory: ArrayBuffer | null): SentStep {
  if (step.kind === 'records') {
    const { batch, source, ...rest } = step;
    return { ...rest, source: source.slice(), sent: packBatch(batch, memory) };
  }
  if (step.kind !== 'copied') return step;
  const { batch, ...rest } = step;
  return { ...rest, sent: packBatch(batch, memory) };
}

export const batchOf = (step: SentStep): SentBatch | null => ('sent' in step ? step.sent : null);

export function unpackStep(step: SentStep): DumpStep {
  if (!('sent' in step)) return step;
  const { sent, ...rest } = step;
  return { ...rest, batch: unpackBatch(sent) } as DumpStep;
}

/** Its memory, which is moved. */
export function buffersOf(step: SentStep): readonly ArrayBuffer[] {
  if (!('sent' in step)) return [];
  return step.kind === 'records' ? [step.sent.memory, step.source.buffer as ArrayBuffer] : [step.sent.memory];
}

/** Characters of text, which make a message long. */
export function lengthOf(step: SentStep): number {
  switch (step.kind) {
    case 'action':
      return step.action.do === 'run' ? step.action.sql.reduce((sum, { length }) => sum + length, 0) : step.text.length;
    case 'piece':
      return step.sql.length;
    case 'rest':
      return step.rows.length;
    default:
      return 0;
  }
}
