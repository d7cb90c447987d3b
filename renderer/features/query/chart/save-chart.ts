// Saves and copies a chart in several formats.
import { client } from '../../../connection/database-client.ts';
import { shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { notify } from '../../../state/store.ts';
import { formatBytes } from '../../../ui/format.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { chooseExportTarget, formatEntries } from '../../../workbench/files/export-format.ts';
import type { ExportFormat } from '../../../workbench/files/export-format.ts';
import { svgPng } from '../../../workbench/pictures/svg-png.ts';
import { chartSvg, PICTURE } from './chart-picture.ts';
import type { ChartPicture } from './chart-picture.ts';
import { seriesNames, xName } from './chart-labels.ts';
import { themeColors } from './series-style.ts';

const svgOf = (picture: ChartPicture): string => chartSvg(picture, themeColors());
const pngOf = (picture: ChartPicture): Promise<Uint8Array> => svgPng(svgOf(picture), PICTURE);

const FORMATS: readonly ExportFormat<ChartPicture>[] = [
  { extension: 'svg', label: 'SVG…', hint: 'scalable picture', contents: svgOf },
  { extension: 'png', label: 'PNG…', contents: pngOf },
];

export function savingEntries(picture: ChartPicture): readonly MenuEntry[] {
  return [
    { heading: 'Save as' },
    ...formatEntries(FORMATS, (format) => void save(picture, format)),
    { heading: 'Copy' },
    { label: 'Copy as PNG', hint: 'picture', run: () => void copyPicture(picture) },
    {
      label: 'Copy as SVG',
      hint: 'SVG source',
      run: () => void shell.writeClipboard(svgOf(picture)).catch(notifyFailure),
    },
  ];
}

async function save(picture: ChartPicture, format: ExportFormat<ChartPicture>): Promise<void> {
  try {
    const { choice, nameOf } = picture;
    const target = await chooseExportTarget(
      format,
      `${seriesNames(choice, nameOf)[0]!} by ${xName(choice, nameOf)}`,
      'chart',
    );
    if (!target) return;
    const contents = await format.contents(picture);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    const size = bytes.length;
    await client.call('export.bytes', { sink: target.token, bytes });
    notify({
      tone: 'success',
      topic: 'chart',
      text: `The chart was saved to ${target.fileName} (${formatBytes(size)}).`,
    });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function copyPicture(picture: ChartPicture): Promise<void> {
  try {
    await shell.writeClipboardImage(await pngOf(picture));
    notify({ tone: 'success', topic: 'chart', text: 'The chart is on the clipboard as a picture.' });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}
