// Steps of a file of SQL on their way to the engine's thread: many go together, because a message takes as long as a small table.
import type { DumpStep } from '../sql/dump-steps.ts';
import type { InsertedRecords } from '../sql/sql-items.ts';
import type { CopiedBatch } from '../sql/copy-rows.ts';
import { copyBatch, fitting, unpackBatch, usedPart, type SentBatch } from './sent-batch.ts';

type WithBatch = InsertedRecords | ({ readonly kind: 'copied' } & CopiedBatch);
type Sent<S> = S extends WithBatch ? Omit<S, 'batch'> & { readonly sent: SentBatch } : S;
export type SentStep = Sent<DumpStep>;

/** One message with statements is not much longer. */
const STEPS_CHARACTERS = 256 * 1024;
const MOST_STEPS = 1000;
/** A row that is left out takes as long as so many characters, besides its own. */
const PROBLEM_CHARACTERS = 256;

/** The steps of one message, with all their batches in one piece of memory. */
export class StepsTogether {
  readonly steps: SentStep[] = [];
  #memory: ArrayBuffer | null;
  #used = 0;
  #characters = 0;

  /** @param memory reused where it fits */
  constructor(memory: ArrayBuffer | null) {
    this.#memory = memory;
  }

  /** Moved with the message, and comes back to be filled again. */
  get memory(): ArrayBuffer | null {
    return this.#memory;
  }

  get isFull(): boolean {
    return this.#characters >= STEPS_CHARACTERS || this.steps.length >= MOST_STEPS;
  }

  /** Copies what is valid until the next step only. False: there is no room for it beside the others. */
  add(step: DumpStep): boolean {
    const sent = step.kind === 'records' || step.kind === 'copied' ? this.#packed(step) : step;
    if (sent === null) return false;
    this.steps.push(sent);
    this.#characters += lengthOf(sent);
    return true;
  }

  #packed(step: Extract<DumpStep, WithBatch>): SentStep | null {
    const used = usedPart(step.batch);
    const isRecords = step.kind === 'records';
    const at = this.#used;
    const sourceAt = at + used.length;
    const end = sourceAt + (isRecords ? step.source.length : 0);
    if (at > 0 && end > this.#memory!.byteLength) return null;
    if (at === 0) this.#memory = fitting(this.#memory, end);
    const memory = this.#memory!;
    this.#used = Math.ceil(end / 8) * 8;
    const { batch, ...rest } = step;
    const sent = copyBatch(batch, used, memory, at);
    if (rest.kind !== 'records') return { ...rest, sent };
    const source = new Uint8Array(memory, sourceAt, rest.source.length);
    source.set(rest.source);
    return { ...rest, source, sent };
  }
}

export function unpackStep(step: SentStep): DumpStep {
  if (!('sent' in step)) return step;
  const { sent, ...rest } = step;
  return { ...rest, batch: unpackBatch(sent) } as DumpStep;
}

/** Characters of text, which make a message long. */
function lengthOf(step: SentStep): number {
  switch (step.kind) {
    case 'action':
      return step.action.do === 'run' ? step.action.sql.reduce((sum, { length }) => sum + length, 0) : step.text.length;
    case 'piece':
      return step.sql.length;
    case 'rest':
      return step.rows.length;
    case 'copied':
      return step.problems.reduce((sum, { text }) => sum + PROBLEM_CHARACTERS + text.length, 0);
    default:
      return 0;
  }
}
