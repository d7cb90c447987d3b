// The settings page: a search above, sections and their settings below, the keys of all commands at the end.
import { FolderOpen, RotateCcw, Plus, X } from 'lucide-react';
import { useState, type ReactNode, type KeyboardEvent } from 'react';
import { changeBack, whyInvalid, type ChosenSettings } from '#shared/settings/read-settings.ts';
import { COMMANDS } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { whyNotKeyOf, type KeyConflict } from '#shared/settings/key-bindings.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { changeSettings, takeAndRemember } from '../../state/settings-sync.ts';
import { useSettings, useSetting } from '../../state/settings.ts';
import { updateTab, notify, useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { plural, formatCount } from '../../ui/format.ts';
import { RunBar } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { runCommand } from '../../workbench/commands/commands.ts';
import { canonicalKey, chosenKey, conflictsHere, keyLabel, keysHere } from '../../workbench/commands/key-map.ts';
import type { SettingsTab } from '../../workbench/tabs/settings.ts';
import './settings.css';
import { showsExtensions, shownCommands, shownSections, settingNamed } from './shown-settings.ts';
import type { Setting, SettingKey, SettingValues } from '#shared/settings/definitions.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { Select } from '../../ui/select.tsx';
import { setSetting } from '../../workbench/set-setting.ts';

export function SettingsTabContent({ tab }: TabContentProps<SettingsTab>): ReactNode {
  const { chosen, values, problems, problem } = useSettings();
  const [onlyChanged, setOnlyChanged] = useState(false);
  const wanted = {
    words: tab.words.trim(),
    onlyChanged,
    isDesktop,
    isChanged: (key: string) => key in chosen || key === tab.at,
  };
  const sections = shownSections(wanted);
  const hasPlace = sections.some(({ keys }) => keys.some((key) => key === tab.at));
  const commands = shownCommands(wanted, values.keys);
  return (
    <div className="tab-page" data-pane>
      <RunBar label="Settings">
        <TextField
          type="search"
          data-first-focus={!hasPlace || undefined}
          className="settings-search"
          aria-label="Search settings"
          placeholder="Settings and keys"
          value={tab.words}
          onChange={(event) => updateTab<SettingsTab>(tab.id, { words: event.target.value })}
        />
        <CheckBox
          className="row-inline gap-5 fixed one-line dim settings-only"
          label="Only changed"
          checked={onlyChanged}
          onChange={setOnlyChanged}
        />
        <FileButtons isChanged={Object.keys(chosen).length > 0} />
      </RunBar>
      <div className="fill scroll settings-list" tabIndex={-1}>
        <Problems messages={[...(problem === null ? [] : [problem]), ...problems.map(({ message }) => message)]} />
        {sections.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h2>{title}</h2>
            {keys.map((key) => (
              <SettingLine key={key} name={key} isPlace={key === tab.at} />
            ))}
            {keys.some((key) => key.startsWith('confirm.')) && <AlwaysAsked />}
          </section>
        ))}
        {isDesktop && showsExtensions(wanted) && <ExtensionsLink />}
        {commands.length > 0 && <KeyList commands={commands} />}
        {sections.length === 0 && commands.length === 0 && !showsExtensions(wanted) && (
          <p className="note settings-none">
            {onlyChanged ? 'No changed setting matches.' : 'No setting or command matches.'}
          </p>
        )}
      </div>
    </div>
  );
}

function FileButtons({ isChanged }: { readonly isChanged: boolean }): ReactNode {
  return (
    <>
      <Button size="small" onClick={() => void importSettings()}>
        Import…
      </Button>
      <Button size="small" onClick={() => void exportSettings()}>
        Export…
      </Button>
      <Button size="small" why={isChanged ? null : 'All settings have their defaults'} onClick={() => void resetAll()}>
        <RotateCcw size={13} aria-hidden /> Reset all
      </Button>
      {isDesktop && (
        <IconButton
          label="Show settings.json in its folder"
          onClick={() => void shell.revealSettings().catch(notifyFailure)}
        >
          <FolderOpen size={14} />
        </IconButton>
      )}
    </>
  );
}

/** A file of others can have a hundred thousand. */
const PROBLEMS_SHOWN = 20;

function Problems({ messages }: { readonly messages: readonly string[] }): ReactNode {
  if (messages.length === 0) return null;
  const rest = messages.length - PROBLEMS_SHOWN;
  return (
    <ul className="warn-note break-words settings-problems" aria-label="Problems in settings.json" role="status">
      {messages.slice(0, PROBLEMS_SHOWN).map((message) => (
        <li key={message}>{message}</li>
      ))}
      {rest > 0 && <li>{plural(rest, 'more problem')}.</li>}
    </ul>
  );
}

/** Extensions are listed for each database, not here. */
function ExtensionsLink(): ReactNode {
  const database = useStore(({ currentDatabase }) => currentDatabase);
  const why = database === null ? 'Open a database first' : null;
  return (
    <section aria-label="Extensions">
      <h2>Extensions</h2>
      <p className="note settings-note">
        Extensions of SQLite are chosen and approved for each database that is opened in place, on its health page. They
        are not part of the settings, so importing settings loads none.
      </p>
      <Button size="small" why={why} onClick={() => runCommand('health.extensions')}>
        Extensions of this database…
      </Button>
    </section>
  );
}

const AlwaysAsked = (): ReactNode => (
  <p className="note settings-note">
    Sidelite always asks before it deletes a database from the library, replaces files, runs statements that the history
    cannot hold, or restarts an engine.
  </p>
);

// Actions on all settings at once: each can be undone from its message.

const TOPIC = 'settings';

async function importSettings(): Promise<void> {
  const before = useSettings.getState().chosen;
  try {
    const imported = await shell.importSettings();
    if (imported === null) return;
    if ('why' in imported) return notify({ tone: 'error', topic: TOPIC, text: imported.why });
    takeAndRemember(imported);
    const { problems } = useSettings.getState();
    const notTaken =
      problems.length > 0 ? ` ${plural(problems.length, 'value')} cannot be used: see the settings page.` : '';
    tellWithUndo(`The settings were imported.${notTaken}`, before);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function exportSettings(): Promise<void> {
  try {
    const exported = await shell.exportSettings();
    if (exported === null) return;
    if (exported !== true) return notify({ tone: 'error', topic: TOPIC, text: exported.why });
    if (isDesktop)
      notify({
        tone: 'success',
        topic: TOPIC,
        text: 'The settings were exported. Import the file on another machine.',
      });
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function resetAll(): Promise<void> {
  const before = useSettings.getState().chosen;
  try {
    await changeSettings(changeBack({}, before));
    tellWithUndo('All settings are back to their defaults.', before);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

function tellWithUndo(text: string, before: ChosenSettings): void {
  const undo = (): void => void changeSettings(changeBack(before, useSettings.getState().chosen)).catch(notifyFailure);
  notify({ tone: 'success', topic: TOPIC, text, action: { label: 'Undo', run: undo } });
}

// The keys of commands: one line each, with its keys, their conflicts, and a field that takes a new key.

const SCOPES = { window: '', grid: 'in the grid', editor: 'in the SQL editor', text: 'in the SQL editor' };

function KeyList({ commands }: { readonly commands: readonly Command[] }): ReactNode {
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

interface SettingLineProps {
  readonly name: SettingKey;
  /** The page was opened for this setting. */
  readonly isPlace: boolean;
}

function SettingLine({ name, isPlace }: SettingLineProps): ReactNode {
  const setting = settingNamed(name);
  const isChanged = useSettings(({ chosen }) => name in chosen);
  const meaningId = `setting-${name}`;
  return (
    <div
      className="setting"
      role="group"
      aria-label={setting.title}
      data-changed={isChanged || undefined}
      data-first-focus={isPlace || undefined}
      tabIndex={isPlace ? -1 : undefined}
      onFocus={({ target, currentTarget }) => {
        if (target === currentTarget) target.scrollIntoView({ block: 'center' });
      }}
    >
      <div className="setting-words">
        <span className="row-inline gap-6">
          {setting.title}
          {isChanged && <ChangedMark />}
        </span>
        <span className="note setting-meaning" id={meaningId}>
          {setting.meaning}
        </span>
      </div>
      <div className="row gap-6 setting-value">
        <Control name={name} setting={setting} describedBy={meaningId} />
        <span className="setting-reset">
          {isChanged && (
            <IconButton
              label={`Reset ${setting.title} to ${initialText(setting)}`}
              onClick={() => setSetting(name, null)}
            >
              <RotateCcw size={13} />
            </IconButton>
          )}
        </span>
      </div>
    </div>
  );
}

const ChangedMark = (): ReactNode => (
  <span className="fixed setting-changed" role="img" aria-label="changed" title="Different from the default" />
);

interface ControlProps {
  readonly name: SettingKey;
  readonly setting: Setting;
  readonly describedBy: string;
}

function Control({ name, setting, describedBy }: ControlProps): ReactNode {
  const value = useSettings(({ values }) => values[name]);
  const set = (next: string | number | boolean): void => setSetting(name, next as SettingValues[SettingKey]);
  switch (setting.kind) {
    case 'flag':
      return (
        <input
          type="checkbox"
          aria-label={setting.title}
          aria-describedby={describedBy}
          checked={value === true}
          onChange={(event) => set(event.target.checked)}
        />
      );
    case 'choice':
      return <Select label={setting.title} value={String(value)} options={setting.options} onChoose={set} />;
    case 'number':
      return (
        <>
          <CommittedField
            className="small-field setting-number"
            label={setting.title}
            aria-describedby={describedBy}
            value={String(value)}
            problemOf={(typed) => problemOf(setting, Number(typed.trim() || Number.NaN))}
            onCommit={(typed) => set(Number(typed))}
          />
          <span className="note setting-unit">{setting.unit}</span>
        </>
      );
    case 'text':
      return (
        <CommittedField
          className="small-field setting-text"
          label={setting.title}
          aria-describedby={describedBy}
          placeholder={setting.placeholder}
          value={String(value)}
          problemOf={(typed) => problemOf(setting, typed)}
          onCommit={set}
        />
      );
  }
}

function problemOf(setting: Setting, value: string | number): string | null {
  if (whyInvalid(setting, value) === null) return null;
  if (setting.kind === 'number')
    return `A ${setting.fraction ? '' : 'whole '}number from ${formatCount(setting.least)} to ${formatCount(setting.most)}`;
  return setting.kind === 'text' && typeof value === 'string' && value.length <= setting.maxChars
    ? (setting.allowed ?? '')
    : 'This is too long';
}

function initialText(setting: Setting): string {
  switch (setting.kind) {
    case 'flag':
      return setting.initial ? 'on' : 'off';
    case 'choice':
      return setting.options.find(([option]) => option === setting.initial)?.[1] ?? setting.initial;
    case 'number':
      return `${formatCount(setting.initial)} ${setting.unit}`;
    case 'text':
      return setting.initial || 'the default';
  }
}
