// State of a diagram tab, which lives as long as the tab, shown or not: the schema as read, all positions, and counts.
import { create } from 'zustand';
import { toAppError, type DatabaseId, type Relation } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab } from '../../state/store.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import { Camera } from './camera.ts';
import { buildGraph, relationId, type Graph, type Size } from './graph.ts';
import type { Point } from './geometry.ts';
import { measureText } from './measure-text.ts';
import { boundsOfPlacement, inRows, keepPositions, moveNode, place, readMoved } from './placement.ts';
import type { MovedTables, Placement, Layout } from './placement.ts';
import { parseState, stringifyState } from '../../state/state-json.ts';
import { delaysClosing } from '../../state/state-saving.ts';
import { FIRST_VIEW, type CountState, type DiagramView } from './view.ts';
import ELK from 'elkjs/lib/elk-api.js';
import type { ELK as LayoutEngine, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';

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

export const diagramSessionOf = tabSessions((tab: DiagramTab) => new DiagramSession(tab));

export class DiagramSession {
  readonly camera = new Camera();
  #tab: DiagramTab;
  readonly useView = create<DiagramView>(() => FIRST_VIEW);
  #moved: MovedTables = {};
  /** Incremented when the contents change: answers to earlier requests are then ignored. */
  #round = 0;
  #isReading = false;
  #isStale = false;
  #fitsWhenShown = true;
  readonly #layouts = new Layouts();
  readonly #counting = new Map<string, AbortController>();

  constructor(tab: DiagramTab) {
    this.#tab = tab;
    this.#patch({ cursor: tab.table ?? tab.around });
    this.#layouts.warmUp();
    void this.#start();
  }

  get #view(): DiagramView {
    return this.useView.getState();
  }

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
    this.useView.setState(part);
  }
}

/**
 * Layers from left to right, lines at right angles that avoid tables. Positions of columns are not passed on: with them, 60 tables had 224
 * crossings instead of 127.
 */
const OPTIONS = {
  'elk.algorithm': 'layered',
  'elk.direction': 'RIGHT',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.aspectRatio': '1.6',
  'elk.spacing.nodeNode': '32',
  'elk.spacing.edgeNode': '16',
  'elk.spacing.edgeEdge': '10',
  'elk.spacing.componentComponent': '40',
  'elk.layered.spacing.nodeNodeBetweenLayers': '64',
  'elk.layered.spacing.edgeNodeBetweenLayers': '22',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '10',
  'elk.layered.nodePlacement.strategy': 'BRANDES_KOEPF',
};

/** Tables and lines are numbered, because names can be anything. Referenced tables are on the left. */
function layoutRequest({ nodes, edges }: Graph): ElkNode {
  const numbers = new Map(nodes.map(({ name }, at) => [name, at]));
  return {
    id: 'diagram',
    layoutOptions: OPTIONS,
    children: nodes.map(({ width, height }, at) => ({ id: `n${at}`, width, height })),
    edges: edges.map(({ relation }, at): ElkExtendedEdge => ({
      id: `e${at}`,
      sources: [`n${numbers.get(relation.target)!}`],
      targets: [`n${numbers.get(relation.table)!}`],
    })),
  };
}

/** @throws when a table has no place */
function readLayout({ nodes, edges }: Graph, answer: Omit<ElkNode, 'id'>): Layout {
  const places = nodes.map(({ name }, at): readonly [string, Point] => {
    const { x, y } = answer.children?.[at] ?? {};
    if (!Number.isFinite(x) || !Number.isFinite(y)) throw new Error('A table has no place.');
    return [name, { x: x!, y: y! }];
  });
  const routes = edges.flatMap(({ id }, at) => {
    const section = answer.edges?.[at]?.sections?.[0];
    if (!section) return [];
    return [[id, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]] as const];
  });
  return { places: Object.fromEntries(places), routes: Object.fromEntries(routes) };
}

/** Entry in the page's performance timeline: how long the user waits for a layout. */
const LAYOUT_MEASURE = 'diagram layout';

class Layouts {
  #engine: LayoutEngine | null = null;
  #giveUp: ((reason: Error) => void) | null = null;

  /** Loading the engine takes longer than most layouts, so it begins while the schema is read. */
  warmUp(): void {
    this.#engine ??= new ELK({ algorithms: ['layered'], workerFactory: () => this.#startThread() });
  }

  /** A new request ends the previous one, which rejects. @throws errors of the engine, or if its thread could not be loaded */
  async layOut(graph: Graph): Promise<Layout> {
    if (graph.nodes.length === 0) return { places: {}, routes: {} };
    // A running layout cannot be canceled.
    if (this.#giveUp) this.end();
    const started = performance.now();
    const gaveUp = new Promise<never>((_resolve, reject) => {
      this.#giveUp = reject;
    });
    this.warmUp();
    const engine = this.#engine!;
    try {
      return readLayout(graph, await Promise.race([engine.layout(layoutRequest(graph)), gaveUp]));
    } catch (thrown) {
      // After a newer request, the thread is a different one, which must not be ended here.
      if (this.#engine === engine) this.end();
      throw thrown;
    } finally {
      if (this.#engine === engine) this.#giveUp = null;
      performance.measure(LAYOUT_MEASURE, { start: started, end: performance.now() });
    }
  }

  end(): void {
    this.#engine?.terminateWorker();
    this.#engine = null;
    this.#giveUp?.(new Error('Another layout was asked for.'));
    this.#giveUp = null;
  }

  #startThread(): Worker {
    const thread = new Worker(new URL('./layout-worker.ts', import.meta.url), {
      type: 'module',
      name: 'sidelite-diagram-layout',
    });
    thread.addEventListener('error', (event) => {
      event.preventDefault();
      const reason = new Error(event.message || 'The thread for layouts could not be started.');
      if (this.#giveUp) this.#giveUp(reason);
      else this.end();
    });
    return thread;
  }
}
