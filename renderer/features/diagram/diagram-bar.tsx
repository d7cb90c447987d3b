// The bar of a diagram: search, zoom, visible parts, layout, export.
import { Download, List, Maximize, Minus, Plus, Workflow } from 'lucide-react';
import { useSyncExternalStore, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { PrintedPicture } from '#shared/printing.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { updateTab } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { formatEntries, saveAs, type ExportFormat } from '../../workbench/files/export-format.ts';
import { svgPng } from '../../workbench/pictures/svg-png.ts';
import type { DiagramTab } from '../../workbench/tabs/diagram.ts';
import type { Camera } from './camera.ts';
import type { DiagramSession } from './diagram-session.ts';
import { diagramMermaid } from './export/mermaid.ts';
import { diagramSvg, PAPER, pictureBox, type Colors } from './export/svg.ts';
import { measureText } from './measure-text.ts';
import type { Placement } from './placement.ts';
import { shownName } from './scene.ts';
import { ZOOM_STEP } from './use-canvas-keys.ts';
import type { DiagramView } from './view.ts';

export interface Search {
  readonly text: string;
  /** Matching tables in reading order; null: no search. */
  readonly matches: readonly string[] | null;
  readonly onText: (text: string) => void;
  readonly onStep: (step: 1 | -1) => void;
  readonly onLeave: () => void;
  readonly field: RefObject<HTMLInputElement | null>;
}

export const diagramTitle = ({ table }: DiagramTab): string => (table === null ? 'Diagram' : `Diagram: ${table}`);

interface DiagramBarProps {
  readonly session: DiagramSession;
  readonly tab: DiagramTab;
  readonly view: DiagramView;
  readonly search: Search;
}

export function DiagramBar({ session, tab, view, search }: DiagramBarProps): ReactNode {
  const change = (part: Partial<DiagramTab>): void => updateTab<DiagramTab>(tab.id, part);
  const { placement } = view;
  const title = diagramTitle(tab);
  return (
    <div className="row ruled-bar gap-8 sunken diagram-bar" role="toolbar" aria-label="Diagram">
      <SearchField search={search} cursor={view.cursor} />
      {tab.table !== null && (
        <Select
          label="Related tables"
          value={String(tab.steps) as '1' | '2'}
          options={[
            ['1', `One step from ${shownName(tab.table)}`],
            ['2', `Two steps from ${shownName(tab.table)}`],
          ]}
          onChoose={(steps) => change({ steps: steps === '1' ? 1 : 2 })}
        />
      )}
      <Menu
        trigger={<Button size="small">Show</Button>}
        entries={[
          { label: 'Likely foreign keys', checked: tab.likely, run: () => change({ likely: !tab.likely }) },
          { label: 'Views', checked: tab.views, run: () => change({ views: !tab.views }) },
        ]}
      />
      <span className="note one-line diagram-status" role="status">
        {view.isLayingOut && 'Laying out'}
      </span>
      {!tab.list && (
        <>
          <Zoom camera={session.camera} onFit={() => session.fit()} />
          <IconButton label="Lay out again" disabled={!placement} onClick={() => session.layOutAgain()}>
            <Workflow size={15} />
          </IconButton>
        </>
      )}
      <IconButton label={tab.list ? 'Show as diagram' : 'Show as list'} onClick={() => change({ list: !tab.list })}>
        {tab.list ? <Workflow size={15} /> : <List size={15} />}
      </IconButton>
      <Menu
        align="end"
        trigger={
          <IconButton label="Export diagram" disabled={!placement || placement.nodes.length === 0}>
            <Download size={15} />
          </IconButton>
        }
        entries={placement ? exportEntries({ placement, title }) : NO_ENTRIES}
      />
    </div>
  );
}

const NO_ENTRIES: readonly MenuEntry[] = [];

function SearchField({ search, cursor }: { readonly search: Search; readonly cursor: string | null }): ReactNode {
  const { text, matches, onText, onStep, onLeave, field } = search;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  const at = matches && cursor !== null ? matches.indexOf(cursor) + 1 : 0;
  const found = matches?.length ?? 0;
  return (
    <div className="anchor diagram-search">
      <TextField
        ref={field}
        type="search"
        aria-label="Find table or column"
        placeholder="Find table or column"
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="dim figures tiny diagram-found" role="status">
        {matches && (found === 0 ? 'No matches' : at > 0 ? `${at} of ${found}` : `${found} found`)}
      </span>
    </div>
  );
}

function Zoom({ camera, onFit }: { readonly camera: Camera; readonly onFit: () => void }): ReactNode {
  const zoom = useSyncExternalStore(camera.subscribe, camera.zoom);
  return (
    <div className="row push-end">
      <IconButton label="Zoom out" shortcut="−" onClick={() => camera.zoomTo(zoom / ZOOM_STEP)}>
        <Minus size={15} />
      </IconButton>
      <button
        type="button"
        className="note figures hover-row diagram-percent"
        aria-label={`${Math.round(zoom * 100)}%, zoom to 100%`}
        onClick={() => camera.zoomTo(1)}
      >
        {Math.round(zoom * 100)}%
      </button>
      <IconButton label="Zoom in" shortcut="+" onClick={() => camera.zoomTo(zoom * ZOOM_STEP)}>
        <Plus size={15} />
      </IconButton>
      <IconButton label="Fit to window" shortcut="0" onClick={onFit}>
        <Maximize size={15} />
      </IconButton>
    </div>
  );
}

// The formats of a saved diagram, and how it gets into a file or onto the clipboard.

interface Subject {
  readonly placement: Placement;
  readonly title: string;
}

function currentColors(): Colors {
  const style = getComputedStyle(document.documentElement);
  return (ink) => style.getPropertyValue(`--${ink}`).trim();
}

const svgOf = ({ placement, title }: Subject): string => diagramSvg(placement, title, currentColors(), measureText);

/** With colors for paper, whatever the theme of the window. */
export function printedDiagram({ placement, title }: Subject): PrintedPicture {
  const { width, height } = pictureBox(placement);
  return { svg: diagramSvg(placement, title, (ink) => PAPER[ink], measureText), width, height };
}

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

function exportEntries(subject: Subject): readonly MenuEntry[] {
  return [
    { heading: 'Save as' },
    ...formatEntries(FORMATS, (format) => void saveAs(format, subject, { title: subject.title, topic: 'diagram' })),
    { heading: 'Copy' },
    { label: 'Copy as SVG', run: () => copy(svgOf(subject)) },
    { label: 'Copy as Mermaid', run: () => copy(diagramMermaid(subject.placement)) },
  ];
}

const copy = (text: string): void => void shell.writeClipboard(text).catch(notifyFailure);
