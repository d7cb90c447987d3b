// Lays out diagrams in a separate thread, so that the window stays responsive. The thread ends when no diagram is open.
import ELK from 'elkjs/lib/elk-api.js';
import type { ELK as LayoutEngine } from 'elkjs/lib/elk-api.js';
import type { Graph } from './graph.ts';
import { layoutRequest, readLayout } from './layout-request.ts';
import type { Layout } from './placement.ts';

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
