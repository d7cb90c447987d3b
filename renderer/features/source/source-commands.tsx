// The commands of a library copy and its source, and the dialogs they open over the window.
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { capabilitiesOf } from '#shared/protocol/index.ts';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { onSourceState } from '../../workbench/databases/sources.ts';
import { useStore } from '../../state/store.ts';
import { ComparisonDialog } from './comparison-dialog.tsx';
import type { Differences } from './comparison-dialog.tsx';
import { FileDialog } from './file-dialog.tsx';
import { mergeWithSource } from './merge-actions.ts';
import { MergeDialog } from './merge-dialog.tsx';
import type { ShownValues } from './merge-row.tsx';
import { compareWithSource, reloadFromSource, saveToSource, showWhereItIs, tellOfChange } from './source-actions.ts';

/** Always mounted; shows something only on request. */
export function Source({
  Differences,
  Value,
}: {
  readonly Differences: Differences;
  readonly Value: ShownValues;
}): ReactNode {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase] ?? null) : null,
  );
  const comparison = useStore((state) => state.comparison);
  const merge = useStore((state) => state.merge);
  const [showsFile, setShowsFile] = useState(false);
  const entry = database?.entry ?? null;
  const on = (action: (entry: LibraryEntry) => Promise<void>) => () => void (entry && action(entry));
  const hasEntry = isConnected && entry !== null;
  const hasSource = hasEntry && capabilitiesOf(entry.id).sourceFile && entry.source?.locationId != null;

  useEffect(() => onSourceState(tellOfChange), []);
  useCommand('source.save', on(saveToSource), hasSource);
  useCommand('source.where', on(showWhereItIs), hasEntry && !hasSource);
  useCommand('source.compare', on(compareWithSource), hasSource);
  useCommand('source.merge', on(mergeWithSource), hasSource);
  useCommand('source.reload', on(reloadFromSource), hasSource);
  useCommand('database.file', () => setShowsFile(true), hasEntry);
  return (
    <>
      {showsFile && database && <FileDialog state={database} onClose={() => setShowsFile(false)} />}
      {comparison && <ComparisonDialog comparison={comparison} Differences={Differences} />}
      {merge && <MergeDialog key={merge.database} merge={merge} Value={Value} />}
    </>
  );
}
