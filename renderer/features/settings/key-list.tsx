// The keys of commands: one line each, with its keys, their conflicts, and a field that takes a new key.
import { Plus, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { COMMANDS } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { whyNotKeyOf } from '#shared/settings/key-bindings.ts';
import type { KeyConflict } from '#shared/settings/key-bindings.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSetting } from '../../state/settings.ts';
import { changeSettings } from '../../state/settings-sync.ts';
import { announce } from '../../ui/announcer.tsx';
import { IconButton } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { canonicalKey, chosenKey, conflictsHere, keyLabel, keysHere } from '../../workbench/commands/key-map.ts';
import { ChangedMark } from './setting-line.tsx';

const SCOPES = { window: '', grid: 'in the grid', editor: 'in the SQL editor', text: 'in the SQL editor' };

export function KeyList({ commands }: { readonly commands: readonly Command[] }): ReactNode {
  const chosen = useSetting('keys');
  const [recording, setRecording] = useState<string | null>(null);
  const conflicts = conflictsHere(COMMANDS, chosen);
  return (
    <section aria-label="Keyboard shortcuts">
      <h2>Keyboard shortcuts</h2>
      <p className="note settings-note" role="status">
        {conflicts.size > 0
          ? `${plural(conflicts.size, 'command')} share a key with another command. Only one of them runs.`
          : 'No two commands share a key.'}
      </p>
      {commands.map((command) => (
        <KeyLine
          key={command.id}
          command={command}
          keys={keysHere(command, chosen)}
          isChanged={Object.hasOwn(chosen, command.id)}
          conflicts={conflicts.get(command.id) ?? []}
          isRecording={recording === command.id}
          onRecord={(isOn) => setRecording(isOn ? command.id : null)}
        />
      ))}
    </section>
  );
}

interface KeyLineProps {
  readonly command: Command;
  readonly keys: readonly string[];
  readonly isChanged: boolean;
  readonly conflicts: readonly KeyConflict[];
  readonly isRecording: boolean;
  readonly onRecord: (isOn: boolean) => void;
}

function KeyLine({ command, keys, isChanged, conflicts, isRecording, onRecord }: KeyLineProps): ReactNode {
  const { title, scope } = command;
  return (
    <div className="key-line" role="group" aria-label={title} data-changed={isChanged || undefined}>
      <span className="row-inline gap-6">
        {title}
        {isChanged && <ChangedMark />}
        <span className="fine-print">{SCOPES[scope]}</span>
      </span>
      <span className="row wrap key-keys">
        {keys.map((key) => (
          <span key={key} className="row-inline key-chip">
            <kbd>{keyLabel(key)}</kbd>
            <IconButton
              label={`Remove ${keyLabel(key)} from ${title}`}
              onClick={() =>
                setKeys(
                  command,
                  keys.filter((other) => other !== key),
                )
              }
            >
              <X size={11} />
            </IconButton>
          </span>
        ))}
        {isRecording ? (
          <KeyField command={command} keys={keys} onEnd={() => onRecord(false)} />
        ) : (
          <IconButton label={`Add a key to ${title}`} onClick={() => onRecord(true)}>
            <Plus size={13} />
          </IconButton>
        )}
        <span className="setting-reset">
          {isChanged && (
            <IconButton label={`Reset the keys for ${title}`} onClick={() => setKeys(command, null)}>
              <RotateCcw size={13} />
            </IconButton>
          )}
        </span>
      </span>
      {conflicts.length > 0 && (
        <span className="small warn key-conflict">
          {conflicts.map(({ key, other }) => `${keyLabel(key)} is also the key of “${other.title}”.`).join(' ')}
        </span>
      )}
    </div>
  );
}

interface KeyFieldProps {
  readonly command: Command;
  readonly keys: readonly string[];
  readonly onEnd: () => void;
}

/** Takes the next key. Tab and Esc leave it, as they leave any field. */
function KeyField({ command, keys, onEnd }: KeyFieldProps): ReactNode {
  const [why, setWhy] = useState('');
  const take = (event: KeyboardEvent): void => {
    if (event.key === 'Tab' && !event.ctrlKey && !event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return onEnd();
    const key = chosenKey(event.nativeEvent);
    if (key === null) return;
    const reserved = whyNotKeyOf(command.id, key);
    if (reserved !== null) return setWhy(`${keyLabel(key)} cannot be used. ${reserved}`);
    if (!keys.some((other) => canonicalKey(other) === canonicalKey(key))) setKeys(command, [...keys, key]);
    announce(`${command.title}: ${keyLabel(key)}`);
    onEnd();
  };
  return (
    <span className="key-field">
      <input
        autoFocus
        readOnly
        data-takes-keys
        className="small-field"
        aria-label={`New key for ${command.title}`}
        placeholder="Press a key"
        title={why}
        onKeyDown={take}
        onBlur={onEnd}
      />
      <span className="tiny error" role="alert">
        {why}
      </span>
    </span>
  );
}

/** @param keys null: the default ones */
function setKeys(command: Command, keys: readonly string[] | null): void {
  const isDefault = JSON.stringify(keys) === JSON.stringify(keysHere(command, {}));
  changeSettings({ [`keys.${command.id}`]: isDefault ? null : keys }).catch(notifyFailure);
}
