// The settings page: a search above, sections and their settings below, the keys of all commands at the end.
import { FolderOpen, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSettings } from '../../state/settings.ts';
import { updateTab } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { RunBar } from '../../ui/run-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import type { SettingsTab } from '../../workbench/tabs/settings.ts';
import { KeyList } from './key-list.tsx';
import { SettingLine } from './setting-line.tsx';
import { exportSettings, importSettings, resetAll } from './settings-actions.ts';
import './settings.css';
import { shownCommands, shownSections } from './shown-settings.ts';

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
          className="row-inline gap-5 fixed settings-only"
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
        {commands.length > 0 && <KeyList commands={commands} />}
        {sections.length === 0 && commands.length === 0 && (
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

function Problems({ messages }: { readonly messages: readonly string[] }): ReactNode {
  if (messages.length === 0) return null;
  return (
    <ul className="warn-note break-words settings-problems" aria-label="Problems in settings.json" role="status">
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  );
}

const AlwaysAsked = (): ReactNode => (
  <p className="note settings-note">
    Sidelite always asks before it deletes a database from the library, replaces files, runs statements that the history
    cannot hold, or restarts an engine.
  </p>
);
