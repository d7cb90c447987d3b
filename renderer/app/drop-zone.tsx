// The whole window takes files that are dropped on it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { DroppedFile, OpenedFile, OpenFilesChoice } from '#shared/shell-api.ts';
import { shell } from '../connection/shell.ts';
import { notify } from '../state/store.ts';
import { withoutSideFiles } from '../connection/web-files.ts';

/** What becomes of a file that is dropped now. */
const WAYS: Readonly<Record<OpenFilesChoice, string>> = {
  ask: '',
  copy: 'a copy in the library',
  'in-place': 'in place',
};

export function DropZone({ onFiles }: { readonly onFiles: (files: readonly OpenedFile[]) => void }): ReactNode {
  const [isOver, setIsOver] = useState(false);
  const [way, setWay] = useState<OpenFilesChoice>('ask');
  useEffect(() => {
    // Entering a child comes before leaving its parent, so a count tells when the pointer has left the window.
    let depth = 0;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      if (event.type === 'dragenter' && ++depth === 1) {
        setIsOver(true);
        // It may have been chosen anew since the last time, also in another window.
        void shell.openFilesChoice().then(setWay);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && --depth <= 0) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
    };
    shell.onFilesDropped((files) => onFiles(onDisk(files)));
    const events = { dragenter: over, dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(events)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name, listener as EventListener);
    };
  }, [onFiles]);
  return isOver && <div className="drop-zone">{`Drop to open ${WAYS[way]}`.trimEnd()}</div>;
}

function onDisk(files: readonly DroppedFile[]): readonly OpenedFile[] {
  const wanted = withoutSideFiles(files);
  for (const { name, file } of wanted)
    if (!file) notify({ tone: 'warning', text: `“${name}” is not a file on this computer's disk.` });
  return wanted.flatMap(({ file }) => file ?? []);
}
