// Lays out diagrams in a separate thread, so that the window stays responsive. The thread ends when no diagram is open.
import ELK from 'elkjs/lib/elk-api.js';
import type { ELK as LayoutEngine, ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import type { Graph } from './graph.ts';
import type { Point } from './geometry.ts';
import type { Layout } from './placement.ts';

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

export class Layouts {
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
