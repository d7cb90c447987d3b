// What a program that has started the app orders over their channel (`stdio: 'ipc'` of Node's `spawn`), and what the app replies before it
// quits.
import type { BenchPlan } from './shell.ts';

export type ParentOrder =
  /** Restore what was open before, or open the files of the command line, and tell how long the first rows took. */
  { readonly order: 'report-start' } | ({ readonly order: 'measure' } & MeasureOrder);

export interface MeasureOrder {
  readonly plan: BenchPlan;
  /** SQL for `own-query`. */
  readonly sql: string | null;
  /** Path of the database for `own-query`. */
  readonly database: string | null;
  readonly dropsCaches: boolean;
}

export type ReplyToParent =
  | { readonly reply: 'started'; readonly start: StartReport }
  | { readonly reply: 'measured'; readonly json: string }
  | { readonly reply: 'failed'; readonly why: string };

/** Times are in milliseconds since 1970. */
export interface StartReport {
  readonly windowAtMs: number;
  readonly rowsAtMs: number;
  readonly firstRow: readonly string[];
  readonly isNative: boolean;
  /** Warning that the window shows about the missing sandbox. */
  readonly warning: string | null;
  /** Seccomp mode of each page process, as Linux numbers it: 2 is a filter of system calls. */
  readonly seccomp: readonly number[];
}
