// Contents of a health page, and how old they are.
import type { CheckId, CheckReply, HealthOverview, SizesReply, TreeSize } from '#shared/protocol/index.ts';
import type { ShownWork } from '../../workbench/jobs.ts';

/** `integrity` is SQLite's own check of the whole file; the others are Sidelite's. */
export type PageCheck = CheckId | 'integrity';
export type PageWork = PageCheck | 'sizes' | 'upkeep' | 'mend' | 'setting';

export interface CheckState {
  readonly state: 'none' | 'done' | 'stopped' | 'failed';
  readonly reply: CheckReply | null;
  readonly problem: string | null;
}

export interface Running extends ShownWork {
  readonly work: PageWork;
  readonly title: string;
}

export interface UpkeepResult {
  readonly kind: UpkeepKind;
  readonly timeMs: number;
  readonly before: HealthOverview;
  readonly after: HealthOverview;
}

export type UpkeepKind = 'vacuum' | 'analyze' | 'reindex' | 'optimize';

export interface HealthView {
  readonly overview: HealthOverview | null;
  readonly failure: string | null;
  /** The last known committed state; null before the first read. */
  readonly mark: string | null;
  readonly sizes: {
    readonly state: CheckState['state'];
    readonly reply: SizesReply | null;
    readonly counted: ReadonlyMap<string, TreeSize>;
    readonly problem: string | null;
  };
  readonly checks: Readonly<Record<PageCheck, CheckState>>;
  readonly running: Running | null;
  readonly upkeep: UpkeepResult | null;
  readonly problem: string | null;
}

const NOT_YET: CheckState = { state: 'none', reply: null, problem: null };

export const EMPTY_VIEW: HealthView = {
  overview: null,
  failure: null,
  mark: null,
  sizes: { state: 'none', reply: null, counted: new Map(), problem: null },
  checks: { structure: NOT_YET, keys: NOT_YET, values: NOT_YET, text: NOT_YET, integrity: NOT_YET },
  running: null,
  upkeep: null,
  problem: null,
};

/** Whether the reply is older than the last commit. */
export const isFromBefore = ({ mark }: HealthView, reply: { readonly mark: string } | null): boolean =>
  reply !== null && mark !== null && reply.mark !== mark;

/** Whether anything shown is older than the last commit. */
export const isStale = (view: HealthView): boolean =>
  [view.overview, view.sizes.reply, ...Object.values(view.checks).map(({ reply }) => reply)].some((reply) =>
    isFromBefore(view, reply),
  );
