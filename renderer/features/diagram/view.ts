// State of a diagram tab at one moment.
import type { RelationCounts, SchemaDiagram } from '#shared/protocol/index.ts';
import type { Graph } from './graph.ts';
import type { Placement } from './placement.ts';

export type CountState =
  | { readonly state: 'running'; readonly startedAt: number }
  | { readonly state: 'counted'; readonly counts: RelationCounts }
  | { readonly state: 'failed'; readonly message: string };

export interface DiagramView {
  readonly diagram: SchemaDiagram | null;
  readonly failure: string | null;
  readonly graph: Graph | null;
  readonly placement: Placement | null;
  readonly isLayingOut: boolean;
  /** Why tables are in plain rows. */
  readonly layoutProblem: string | null;
  readonly cursor: string | null;
  /** ID of the selected line. */
  readonly selected: string | null;
  /** Counts by `relationId`. */
  readonly counts: ReadonlyMap<string, CountState>;
}

export const FIRST_VIEW: DiagramView = {
  diagram: null,
  failure: null,
  graph: null,
  placement: null,
  isLayingOut: false,
  layoutProblem: null,
  cursor: null,
  selected: null,
  counts: new Map(),
};
