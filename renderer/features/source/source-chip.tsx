// Status bar item: whether the content shown here is also in its source file, and the actions for that.
import type { ReactNode } from 'react';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { useStore } from '../../state/store.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { keepMine } from './source-actions.ts';
import './source.css';
import { sourceLabels } from './source-labels.ts';

export function SourceChip(): ReactNode {
  const database = useStore((state) =>
    state.currentDatabase ? (state.openDatabases[state.currentDatabase] ?? null) : null,
  );
  const source = useStore((state) => (state.currentDatabase ? (state.sources[state.currentDatabase] ?? null) : null));
  if (!database) return null;
  const { entry } = database;
  // About to be known: keeps its room, because work beside it has a button to stop it.
  if (entry.source?.locationId && !source) return <span className="fixed source-chip" />;
  const { label, tone, sentence } = sourceLabels(source, entry.source?.fileName ?? '');
  const isAsking = tone === 'warn' && (source?.disk === 'changed' || source?.disk === 'replaced');
  return (
    <Menu
      align="end"
      side="top"
      trigger={
        <button
          type="button"
          className="row-inline gap-6 status-button source-chip"
          data-tone={tone}
          title={sentence}
          aria-label={`Source: ${label}`}
        >
          <i />
          {label}
        </button>
      }
      entries={[
        { heading: entry.source?.displayPath ?? 'Created in Sidelite' },
        ...(entry.source?.locationId ? sourceEntries(entry, isAsking) : []),
        { label: 'Where this data lives…', run: () => void runCommand('database.file') },
      ]}
    />
  );
}

function sourceEntries(entry: LibraryEntry, isAsking: boolean): readonly MenuEntry[] {
  return [
    { label: 'Compare with source…', run: () => void runCommand('source.compare') },
    { label: 'Merge from source…', run: () => void runCommand('source.merge') },
    { label: 'Save to source', hint: commandKeyLabel('source.save'), run: () => void runCommand('source.save') },
    { label: 'Reload from source…', run: () => void runCommand('source.reload') },
    ...(isAsking ? [{ label: 'Keep mine until it changes again', run: () => void keepMine(entry) }] : []),
    { label: 'Reveal source file', run: () => void runCommand('database.revealSource') },
    'separator',
  ];
}
