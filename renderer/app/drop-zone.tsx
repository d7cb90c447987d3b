// The whole window takes files that are dropped on it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { SettingValues } from '#shared/settings/definitions.ts';
import type { DroppedFile, OpenedFile } from '#shared/shell-api.ts';
import { isDesktop, shell } from '../connection/shell.ts';
import { useSetting } from '../state/settings.ts';
import { notify } from '../state/store.ts';
import { withoutSideFiles } from '../connection/web-files.ts';

/** How a file that is dropped now is opened. */
const WAYS: Readonly<Record<SettingValues['openFiles'], string>> = {
  'first-edit': '',
  ask: '',
  copy: 'a copy in the library',
  'in-place': 'in place',
};

interface DropZoneProps {
  /** `table`: the one they were dropped on, of the current database. */
  readonly onFiles: (files: readonly OpenedFile[], table: string | null) => void;
}

export function DropZone({ onFiles }: DropZoneProps): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const [table, setTable] = useState<string | null>(null);
  const [hasRows, setHasRows] = useState(false);
  const chosen = useSetting('openFiles');
  const way = isDesktop ? chosen : 'copy';
  useEffect(() => {
    // Entering a child comes before leaving its parent, so a count tells when the pointer has left the window.
    let depth = 0;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return refuseLink(event);
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setTable(tableUnder(event));
      setHasRows([...event.dataTransfer.items].every(({ type }) => ROW_TYPES.test(type)));
      if (event.type === 'dragenter' && ++depth === 1) {
        setIsOver(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && --depth <= 0) setIsOver(false);
    };
    let droppedOn: string | null = null;
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // The desktop's Chromium tells main of a drop that no page handles; a browser would leave the page for the file.
      if (isDesktop) event.stopPropagation();
      else event.preventDefault();
      depth = 0;
      droppedOn = tableUnder(event);
      setIsOver(false);
    };
    shell.onFilesDropped((files) => onFiles(onDisk(files), droppedOn));
    const events = { dragenter: over, dragover: over, dragleave: leave, drop };
    // Listen in the capture phase: in a browser the files are reported in the bubble phase.
    for (const [name, listener] of Object.entries(events))
      window.addEventListener(name, listener as EventListener, true);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name, listener as EventListener, true);
    };
  }, [onFiles]);
  if (!isOver) return null;
  // Before the drop, browsers report only the types of files, and not of all files.
  const importing = table === null ? 'Drop to import' : `Drop to import into “${table}”`;
  return (
    <div className="drop-zone">{hasRows || table !== null ? importing : `Drop to open ${WAYS[way]}`.trimEnd()}</div>
  );
}

/** The desktop's Chromium would offer to open a link of another program, which main refuses. As text it may go into a field. */
function refuseLink(event: DragEvent): void {
  const isInField = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
  if (!isDesktop || isInField || !event.dataTransfer?.types.includes('text/uri-list')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/** Types of files whose rows are imported. */
const ROW_TYPES = /^text\/|json$|spreadsheetml/;

/** Rows of the tree say which table they are (`data-table`). */
const tableUnder = ({ target }: DragEvent): string | null =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-table]')?.dataset['table'] ?? null) : null;

function onDisk(files: readonly DroppedFile[]): readonly OpenedFile[] {
  const wanted = withoutSideFiles(files);
  for (const { name, file } of wanted)
    if (!file) notify({ tone: 'warning', text: `“${name}” is not a file on this computer’s disk.` });
  return wanted.flatMap(({ file }) => file ?? []);
}
