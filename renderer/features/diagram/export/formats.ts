// The formats of a saved diagram, and how it gets into a file or onto the clipboard.
import { client } from '../../../connection/database-client.ts';
import { shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { notify } from '../../../state/store.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { formatBytes } from '../../../ui/format.ts';
import { chooseExportTarget, formatEntries } from '../../../workbench/files/export-format.ts';
import type { ExportFormat } from '../../../workbench/files/export-format.ts';
import { svgPng } from '../../../workbench/pictures/svg-png.ts';
import { measureText } from '../measure-text.ts';
import type { Placement } from '../placement.ts';
import { diagramMermaid } from './mermaid.ts';
import { diagramSvg, pictureBox } from './svg.ts';
import type { Colors } from './svg.ts';

interface Subject {
  readonly placement: Placement;
  readonly title: string;
}

/** Colors of the window's current theme. */
function currentColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  return (ink) => style.getPropertyValue(`--${ink}`).trim();
}

const svgOf = ({ placement, title }: Subject): string => diagramSvg(placement, title, currentColors(), measureText);

const FORMATS: readonly ExportFormat<Subject>[] = [
  { extension: 'svg', label: 'SVG…', hint: 'scalable picture', contents: svgOf },
  {
    extension: 'png',
    label: 'PNG…',
    contents: (subject) => svgPng(svgOf(subject), pictureBox(subject.placement)),
  },
  {
    extension: 'mmd',
    label: 'Mermaid…',
    hint: 'text for Markdown',
    contents: ({ placement }) => diagramMermaid(placement),
  },
];

export function exportEntries(subject: Subject): readonly MenuEntry[] {
  return [
    { heading: 'Save as' },
    ...formatEntries(FORMATS, (format) => void save(subject, format)),
    { heading: 'Copy' },
    { label: 'Copy as SVG', run: () => copy(svgOf(subject)) },
    { label: 'Copy as Mermaid', run: () => copy(diagramMermaid(subject.placement)) },
  ];
}

async function save(subject: Subject, format: ExportFormat<Subject>): Promise<void> {
  try {
    const target = await chooseExportTarget(format, subject.title, 'diagram');
    if (!target) return;
    const contents = await format.contents(subject);
    const bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    const size = bytes.length;
    await client.call('export.bytes', { sink: target.token, bytes });
    const text = `The diagram was saved to ${target.fileName} (${formatBytes(size)}).`;
    notify({ tone: 'success', topic: 'diagram', text });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

const copy = (text: string): void => void shell.writeClipboard(text).catch(notifyFailure);
