// The formats a result can be saved as, as the menu lists them.
import type { BenchResult } from '#shared/bench/result.ts';
import type { ExportFormat } from '../../../workbench/files/export-format.ts';
import type { Scene } from '../charts/scene.ts';
import { scenePng } from '../charts/scene-view.tsx';
import type { Timing } from '../results/timing.ts';
import { resultCsv } from './csv.ts';
import { resultMarkdown } from './markdown.ts';

export interface ExportedView {
  readonly result: BenchResult;
  readonly title: string;
  readonly timing: Timing;
  /** A picture of what is on screen; called only by formats that save one. */
  picture(): Scene;
}

export const RESULT_FORMATS: readonly ExportFormat<ExportedView>[] = [
  {
    extension: 'json',
    label: 'JSON…',
    hint: 'everything, raw samples included',
    contents: ({ result }) => JSON.stringify(result, null, 1),
  },
  { extension: 'csv', label: 'CSV…', hint: 'a line for each cell', contents: ({ result }) => resultCsv(result) },
  {
    extension: 'md',
    label: 'Markdown…',
    hint: 'tables for a page',
    contents: ({ result, title, timing }) => resultMarkdown(result, title, timing),
  },
  {
    extension: 'png',
    label: 'PNG…',
    hint: 'a picture of this view',
    contents: ({ picture }) => scenePng(picture(), document.documentElement),
  },
];
