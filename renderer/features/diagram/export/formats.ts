// The formats of a saved diagram, and how it gets into a file or onto the clipboard.
import { shell } from '../../../connection/shell.ts';
import { notifyFailure } from '../../../state/databases.ts';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { formatEntries, saveAs } from '../../../workbench/files/export-format.ts';
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
    ...formatEntries(FORMATS, (format) => void saveAs(format, subject, { title: subject.title, topic: 'diagram' })),
    { heading: 'Copy' },
    { label: 'Copy as SVG', run: () => copy(svgOf(subject)) },
    { label: 'Copy as Mermaid', run: () => copy(diagramMermaid(subject.placement)) },
  ];
}

const copy = (text: string): void => void shell.writeClipboard(text).catch(notifyFailure);
