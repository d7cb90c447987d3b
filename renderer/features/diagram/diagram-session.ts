// State of a diagram tab, which lives as long as the tab, shown or not: the schema as read, all positions, and counts.
import { toAppError, type DatabaseId, type Relation } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { Camera } from './camera.ts';
import { buildGraph, relationId, type Graph, type Size } from './graph.ts';
import type { Point } from './geometry.ts';
import { Layouts } from './lay-out.ts';
import { measureText } from './measure-text.ts';
import { boundsOfPlacement, inRows, keepPositions, moveNode, place } from './placement.ts';
import type { MovedTables, Placement } from './placement.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { delaysClosing } from '../../state/state-saving.ts';
import { readMoved } from './moved-tables.ts';
import { FIRST_VIEW, type CountState, type DiagramView } from './view.ts';

/** Which diagram of a database: a table with its neighbors is laid out separately from the whole, and has its own positions. */
const diagramKey = (table: string | null, steps: number): string => (table === null ? 'all' : `${steps}:${table}`);

const stateKey = (database: DatabaseId, diagram: string): string => `diagram:${database}:${diagram}`;

const loadMoved = async (database: DatabaseId, diagram: string): Promise<MovedTables> =>
  readMoved(parseState(await client.call('state.get', { key: stateKey(database, diagram) })));

/** Durable once it resolves; a window that is closed earlier waits for it. */
async function keepMoved(database: DatabaseId, diagram: string, moved: MovedTables): Promise<void> {
  const value = Object.keys(moved).length > 0 ? stringifyState(moved) : null;
  await delaysClosing(client.call('state.put', { key: stateKey(database, diagram), value }));
}

/** Session of a tab, created when the tab is first shown. */
export const diagramSessionOf = tabSessions((tab: DiagramTab) => new DiagramSession(tab));

export class DiagramSession {
  readonly camera = new Camera();
  #tab: DiagramTab;
  #view: DiagramView = FIRST_VIEW;
  #moved: MovedTables = {};
  /** Incremented when the contents change: answers to earlier requests are then ignored. */
  #round = 0;
  #isReading = false;
  #isStale = false;
  #fitsWhenShown = true;
  readonly #layouts = new Layouts();
  readonly #counting = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();

  constructor(tab: DiagramTab) {
    this.#tab = tab;
    this.#view = { ...FIRST_VIEW, cursor: tab.table ?? tab.around };
    this.#layouts.warmUp();
    void this.#start();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly view = (): DiagramView => this.#view;

  /** The tab has changed: updates its contents. */
  adopt(tab: DiagramTab): void {
    const before = this.#tab;
    this.#tab = tab;
    const isPart = (this.#view.graph?.left ?? 0) > 0;
    const [was, is] = [before, tab].map(({ table, steps, likely, views, around }) =>
      JSON.stringify([table, steps, likely, views, isPart ? around : null]),
    );
    if (was !== is) void this.#start();
    else if (before.expanded !== tab.expanded) void this.#show('keep');
  }

  /** The schema now has this version. */
  follow(schemaVersion: number): void {
    if (this.#view.diagram && this.#view.diagram.schemaVersion !== schemaVersion) void this.#read();
  }

  /** Discards all moves and lays out the diagram again, including after a failure. */
  layOutAgain(): void {
    this.#moved = {};
    this.#keepMoved();
    void this.#show('anew');
  }

  tryAgain(): void {
    this.#patch({ failure: null });
    void this.#start();
  }

  resize(screen: Size): void {
    this.camera.resize(screen);
    this.#fitOnce();
  }

  fit(): void {
    if (this.#view.placement) this.camera.fit(boundsOfPlacement(this.#view.placement));
  }

  /** Moves the cursor to a table, and shows it: with its surroundings, if it is not in the picture. */
  goTo(cursor: string | null, shows: 'reveal' | 'center' | null = 'reveal'): void {
    this.#patch({ cursor, selected: null });
    const node = this.#view.placement?.nodes.find(({ name }) => name === cursor);
    if (!node && cursor !== null && (this.#view.graph?.left ?? 0) > 0 && this.#tab.table === null)
      return updateTab<DiagramTab>(this.#tab.id, { around: cursor });
    if (!node || shows === null) return;
    if (shows === 'center') this.camera.center(node);
    else this.camera.reveal(node);
  }

  select(edge: string | null): void {
    this.#patch({ selected: edge });
  }

  /** Called while a table is dragged; {@link dropped} keeps the position. */
  move(name: string, to: Point): void {
    if (!this.#view.placement) return;
    this.#moved = { ...this.#moved, [name]: to };
    this.#patch({ placement: moveNode(this.#view.placement, name, to) });
  }

  dropped(): void {
    this.#keepMoved();
  }

  count(relation: Relation): void {
    const id = relationId(relation);
    this.#counting.get(id)?.abort();
    const abort = new AbortController();
    this.#counting.set(id, abort);
    this.#setCount(id, { state: 'running', startedAt: performance.now() });
    const { table, columns, target, targetColumns } = relation;
    const key = { table, columns, target, targetColumns };
    client.call('schema.countRelation', { database: this.#tab.database, key }, { signal: abort.signal }).then(
      (counts) => this.#setCount(id, { state: 'counted', counts }, abort),
      (thrown: unknown) => {
        const { code, message } = toAppError(thrown);
        this.#setCount(id, code === 'stopped' ? null : { state: 'failed', message }, abort);
      },
    );
  }

  stopCounting(): void {
    for (const abort of this.#counting.values()) abort.abort();
  }

  dispose(): void {
    this.#round += 1;
    this.stopCounting();
    this.#layouts.end();
  }

  async #start(): Promise<void> {
    const round = ++this.#round;
    try {
      const moved = await loadMoved(this.#tab.database, this.#movedKey);
      if (round !== this.#round) return;
      this.#moved = moved;
    } catch (thrown) {
      // The diagram still works without the moved positions.
      notifyFailure(thrown);
    }
    this.#fitsWhenShown = true;
    if (this.#view.diagram) await this.#show('anew');
    else await this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading) {
      this.#isStale = true;
      return;
    }
    this.#isReading = true;
    try {
      do {
        this.#isStale = false;
        const diagram = await client.call('schema.diagram', { database: this.#tab.database });
        this.#patch({ diagram, failure: null, counts: new Map() });
      } while (this.#isStale);
      await this.#show('keep');
    } catch (thrown) {
      const { message } = toAppError(thrown);
      if (this.#view.diagram) notifyFailure(thrown);
      else this.#patch({ failure: message });
    } finally {
      this.#isReading = false;
    }
  }

  /** `keep`: anything on screen stays where it is. */
  async #show(mode: 'anew' | 'keep'): Promise<void> {
    const { diagram, placement } = this.#view;
    if (!diagram) return;
    const graph = buildGraph(diagram, this.#tab, measureText);
    if (mode === 'keep' && placement && placement.nodes.length > 0)
      return this.#put(graph, keepPositions(graph, placement));
    const round = ++this.#round;
    this.#patch({ isLayingOut: true });
    try {
      const layout = await this.#layouts.layOut(graph);
      if (round === this.#round) this.#put(graph, place(graph, layout, this.#moved), null);
    } catch (thrown) {
      if (round !== this.#round) return;
      this.#put(
        graph,
        place(graph, inRows(graph.nodes), this.#moved),
        thrown instanceof Error ? thrown.message : 'unknown',
      );
    }
  }

  #put(graph: Graph, placement: Placement, layoutProblem: string | null = this.#view.layoutProblem): void {
    const has = (name: string | null): boolean => graph.nodes.some((node) => node.name === name);
    const cursor = has(this.#view.cursor) ? this.#view.cursor : null;
    const selected = graph.edges.some(({ id }) => id === this.#view.selected) ? this.#view.selected : null;
    this.#patch({ graph, placement, cursor, selected, layoutProblem, isLayingOut: false });
    this.#fitOnce();
  }

  #fitOnce(): void {
    if (!this.#fitsWhenShown || !this.#view.placement || this.#view.isLayingOut || this.camera.screen.width === 0)
      return;
    this.#fitsWhenShown = false;
    this.fit();
  }

  get #movedKey(): string {
    return diagramKey(this.#tab.table, this.#tab.steps);
  }

  #keepMoved(): void {
    keepMoved(this.#tab.database, this.#movedKey, this.#moved).catch(notifyFailure);
  }

  /** @param by the request that reports it: another count of the same relation may have begun since */
  #setCount(id: string, state: CountState | null, by?: AbortController): void {
    if (by && this.#counting.get(id) !== by) return;
    if (by) this.#counting.delete(id);
    const counts = new Map(this.#view.counts);
    if (state) counts.set(id, state);
    else counts.delete(id);
    this.#patch({ counts });
  }

  #patch(part: Partial<DiagramView>): void {
    this.#view = { ...this.#view, ...part };
    for (const listener of this.#listeners) listener();
  }
}
