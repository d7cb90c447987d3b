// Puts a result into a file the person chooses.
import type { BenchResult } from '#shared/bench/result.ts';
import { client } from '../../../connection/database-client.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { shell } from '../../../connection/shell.ts';
import { notify } from '../../../state/store.ts';
import { formatBytes } from '../../../ui/format.ts';
import { scenePng } from '../charts/scene-canvas.ts';
import type { Scene } from '../charts/scene.ts';
import type { Timing } from '../results/timing.ts';
import { resultCsv } from './csv.ts';
import { resultMarkdown } from './markdown.ts';

export type ExportFormat = 'json' | 'csv' | 'md' | 'png';

export interface ExportedView {
  readonly result: BenchResult;
  readonly title: string;
  readonly timing: Timing;
  /** What is on screen, as a picture; asked only for `png`. */
  picture(): Scene;
}

export async function saveResult(view: ExportedView, format: ExportFormat): Promise<void> {
  const name =
    view.title
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'benchmark';
  const target = await shell.chooseSaveTarget(`${name}.${format}`);
  if (!target) return;
  try {
    const bytes = await bytesOf(view, format);
    const size = bytes.length;
    await client.call('benchmark.export', { sink: target.token, bytes });
    notify({
      tone: 'success',
      topic: 'benchmark',
      text: `The result was saved to ${target.fileName} (${formatBytes(size)}).`,
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function bytesOf({ result, title, timing, picture }: ExportedView, format: ExportFormat): Promise<Uint8Array> {
  if (format === 'png') return await scenePng(picture(), document.documentElement);
  const text =
    format === 'json'
      ? JSON.stringify(result, null, 1)
      : format === 'csv'
        ? resultCsv(result)
        : resultMarkdown(result, title, timing);
  return new TextEncoder().encode(text);
}
