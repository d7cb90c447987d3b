// The whole window takes files that are dropped on it.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { OpenedFile } from '#shared/shell-api.ts';
import { shell } from '../client/shell.ts';
import { notify } from '../client/store.ts';
import { takeTogether } from '../client/web-files.ts';

export function DropZone({ onFiles }: { readonly onFiles: (files: readonly OpenedFile[]) => void }): ReactNode {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // Entering a child comes before leaving its parent, so a count tells when the pointer has left the window.
    let depth = 0;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      if (event.type === 'dragenter' && ++depth === 1) setIsOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files') && --depth <= 0) setIsOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      depth = 0;
      setIsOver(false);
      void take([...event.dataTransfer.files]).then(onFiles);
    };
    const events = { dragenter: over, dragover: over, dragleave: leave, drop };
    for (const [name, listener] of Object.entries(events)) window.addEventListener(name, listener as EventListener);
    return () => {
      for (const [name, listener] of Object.entries(events))
        window.removeEventListener(name, listener as EventListener);
    };
  }, [onFiles]);
  return isOver && <div className="drop-zone">Drop to open in the library</div>;
}

async function take(files: readonly File[]): Promise<readonly OpenedFile[]> {
  const opened: OpenedFile[] = [];
  for (const file of takeTogether(files)) {
    const taken = await shell.fileFromDrop(file);
    if (taken) opened.push(taken);
    else notify({ tone: 'warning', text: `“${file.name}” is not a file on this computer's disk.` });
  }
  return opened;
}
