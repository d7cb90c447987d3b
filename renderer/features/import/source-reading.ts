// Reads the file of an import: its beginning, all of it while the user works, and the rows that a plan makes of it.
import { holdsTables } from '#shared/import-formats.ts';
import { toAppError, type ImportOptions, type ImportPlan, type ImportSource } from '#shared/protocol/index.ts';
import { importedOf } from '#shared/import/column-choices.ts';
import { client } from '../../connection/database-client.ts';
import type { ImportView } from './import-view.ts';
import { nearAfter } from './near-readings.ts';
import { LatestCall } from '../../workbench/latest-call.ts';

/** Longer than the pause between two keys while the user types a name. */
const PREVIEW_DELAY_MS = 200;

interface Owner {
  source(): ImportSource | null;
  view(): ImportView;
  patch(part: Partial<ImportView>): void;
  plan(): ImportPlan;
  detected(): void;
  columnsRead(columns: readonly string[]): Promise<void>;
  factsRead(): void;
}

export class SourceReading {
  readonly #owner: Owner;
  readonly #detecting = new LatestCall();
  readonly #analyzing = new LatestCall();
  readonly #previewing = new LatestCall();
  #previewTimer: ReturnType<typeof setTimeout> | undefined;
  #disposed = false;

  constructor(owner: Owner) {
    this.#owner = owner;
  }

  /** An import reads the file itself, and should have the engine to itself. */
  pause(): void {
    this.#stopPreview();
    if (this.#owner.view().analysis?.state !== 'running') return;
    this.#analyzing.stop();
    this.#owner.patch({ analysis: null });
  }

  /** Reads again what was not read to its end before an import. */
  resume(): void {
    if (this.#owner.view().analysis === null) void this.#analyze();
    this.previewSoon();
  }

  #stopPreview(): void {
    clearTimeout(this.#previewTimer);
    this.#previewing.stop();
  }

  dispose(): void {
    this.#disposed = true;
    this.#stopPreview();
    this.#detecting.stop();
    this.#analyzing.stop();
  }

  /** @param chosen options that are not detected */
  async detect(chosen: Partial<ImportOptions>): Promise<void> {
    const source = this.#owner.source();
    if (!source)
      return this.#owner.patch({
        failure: { message: 'The text from the clipboard is no longer available. Copy it again.', isGone: true },
      });

    try {
      const reply = await this.#detecting.run((signal) =>
        client.call('import.detect', { source, options: chosen }, { signal }),
      );
      if (!reply) return;
      const detected = reply.value;
      const isSame = JSON.stringify(detected.columns) === JSON.stringify(this.#owner.view().detected?.columns);
      const near = nearAfter(this.#owner.view().near, chosen, detected);
      this.#owner.patch({ detected, options: detected.options, near, fileName: detected.fileName, failure: null });
      this.#owner.detected();
      if (holdsTables(detected.options.format)) return;
      if (!isSame) await this.#owner.columnsRead(detected.columns);
      void this.#analyze();
      this.previewSoon();
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      this.#owner.patch({ failure: { message, isGone: code === 'not-found' } });
    }
  }

  /** Reads the whole file while the user looks at its beginning. */
  async #analyze(): Promise<void> {
    const { options } = this.#owner.view();
    const source = this.#owner.source();
    if (!options || !source) return;
    const startedAtMs = performance.now();
    this.#owner.patch({ analysis: { state: 'running', progress: null, startedAtMs } });
    try {
      const analyzed = await this.#analyzing.run((signal) =>
        client.call(
          'import.analyze',
          { source, options },
          {
            signal,
            onChunk: (progress) => {
              if (!signal.aborted) this.#owner.patch({ analysis: { state: 'running', progress, startedAtMs } });
            },
          },
        ),
      );
      if (!analyzed) return;
      this.#owner.patch({ analysis: { state: 'done', analysis: analyzed.value } });
      this.#owner.factsRead();
      this.previewSoon();
    } catch (thrown) {
      this.#owner.patch({ analysis: { state: 'failed', message: toAppError(thrown).message } });
    }
  }

  previewSoon(): void {
    clearTimeout(this.#previewTimer);
    if (!this.#disposed) this.#previewTimer = setTimeout(() => void this.#preview(), PREVIEW_DELAY_MS);
  }

  async #preview(): Promise<void> {
    const { detected, running, target } = this.#owner.view();
    if (!detected || running || this.#disposed) return;
    const plan = this.#owner.plan();
    const from = previewedColumns(this.#owner.view());
    if (plan.columns.length === 0) return this.#owner.patch({ preview: null, previewProblem: null });
    try {
      const previewed = await this.#previewing.run((signal) =>
        target.database === null
          ? client.call('import.previewNew', { plan }, { signal })
          : client.call('import.preview', { database: target.database, plan }, { signal }),
      );
      if (!previewed) return;
      this.#owner.patch({ preview: { preview: previewed.value, from }, previewProblem: null });
    } catch (thrown) {
      this.#owner.patch({ previewProblem: toAppError(thrown).message });
    }
  }
}

/** In an existing table, only columns that get a value are previewed. */
const previewedColumns = ({ columns, target }: ImportView): readonly number[] =>
  importedOf(columns).flatMap(({ choice, at }) =>
    target.kind === 'table' && choice.isAdded && choice.expression.trim() === '' ? [] : [at],
  );
