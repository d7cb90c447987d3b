// What a designer tab shows of its text and its change: plain data, replaced as a whole with each change.
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import type { NotUnderstood } from '#shared/ddl/statement-reader.ts';
import type { SchemaChangeReport, SchemaPlan } from '#shared/protocol/index.ts';

export interface DesignView {
  /** Model of the last text that could be parsed; this is what the form shows. */
  readonly model: ObjectModel | null;
  readonly problem: NotUnderstood | null;
  readonly base: ObjectModel | null;
  /** Why the object cannot be designed: its own statement could not be parsed. */
  readonly baseProblem: NotUnderstood | null;
  /** The changes in words; none for a new object, or while the text cannot be parsed. */
  readonly changes: readonly string[];
  readonly phase: 'editing' | 'checking' | 'running' | 'report' | 'finishing';
  /** What the current text would do, once that was requested. */
  readonly plan: SchemaPlan | null;
  readonly report: SchemaChangeReport | null;
  readonly failure: string | null;
}

export const EMPTY_DESIGN: DesignView = {
  model: null,
  problem: null,
  base: null,
  baseProblem: null,
  changes: [],
  phase: 'editing',
  plan: null,
  report: null,
  failure: null,
};
