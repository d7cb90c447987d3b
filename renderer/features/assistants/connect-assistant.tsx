// The dialog that says how an assistant reaches a file in place, and which assistants are connected.
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { AssistantServer, AssistantSession } from '#shared/assistants.ts';
import { locationIdOf } from '#shared/protocol/index.ts';
import type { LibraryEntry } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSetting } from '../../state/settings.ts';
import { notify } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { connectAssistant, useAssistants } from '../../workbench/assistants/assistants.ts';
import { setSetting } from '../../workbench/set-setting.ts';
import { configurationsOf } from './configurations.ts';
import './assistants.css';

export function ConnectAssistant(): ReactNode {
  const entry = useAssistants(({ connecting }) => connecting);
  return entry && <ConnectDialog key={entry.id} entry={entry} />;
}

function ConnectDialog({ entry }: { readonly entry: LibraryEntry }): ReactNode {
  const close = (): void => connectAssistant(null);
  const mayPropose = useSetting('assistants');
  const sessions = useAssistants((state) => state.sessions);
  const select = useRef<HTMLSelectElement>(null);
  return (
    <Dialog
      title={`Connect an assistant to “${visibleName(entry.name)}”`}
      wide
      initialFocus={select}
      onClose={close}
      footer={<Button onClick={close}>Close</Button>}
    >
      <div className="assistants">
        <CheckBox
          label="Let assistants propose changes, which you keep or discard here"
          checked={mayPropose}
          onChange={(isOn) => setSetting('assistants', isOn)}
        />
        <ConfigurationText entry={entry} mayPropose={mayPropose} selectRef={select} />
        <ul className="assistants-list" aria-label="Connected assistants">
          {sessions.map((session) => (
            <Session key={session.id} session={session} />
          ))}
          {sessions.length === 0 && (
            <li className="dim">
              {mayPropose
                ? 'No assistant is connected. One that is running connects with its next call.'
                : 'Assistants that are running are listed here while they may propose changes.'}
            </li>
          )}
        </ul>
      </div>
    </Dialog>
  );
}

interface ConfigurationProps {
  readonly entry: LibraryEntry;
  readonly mayPropose: boolean;
  readonly selectRef: RefObject<HTMLSelectElement | null>;
}

function ConfigurationText({ entry, mayPropose, selectRef }: ConfigurationProps): ReactNode {
  const [name, setName] = useState('Claude Desktop');
  const id = useId();
  const server = useServer(entry);
  const all = server && configurationsOf(server, mayPropose);
  const chosen = all && (all.find((one) => one.name === name) ?? all[0]);
  const copy = async (text: string): Promise<void> => {
    await shell.writeClipboard(text);
    notify({ tone: 'success', text: 'Copied.' });
  };
  return (
    <>
      <div className="row gap-8">
        <label htmlFor={id}>Configuration for</label>
        <Select
          selectRef={selectRef}
          id={id}
          value={name}
          options={(all ?? [{ name }]).map((one) => [one.name, one.name] as const)}
          onChoose={setName}
        />
        <Button size="small" disabled={!chosen} onClick={() => chosen && void copy(chosen.text).catch(notifyFailure)}>
          Copy
        </Button>
      </div>
      <p className="small assistants-place">{chosen && `Put this into ${chosen.place}, and restart the assistant.`}</p>
      <pre className="sql-block" aria-label="Configuration" tabIndex={0}>
        {chosen?.text}
      </pre>
    </>
  );
}

/** Null until it is known. */
function useServer({ id }: LibraryEntry): AssistantServer | null {
  const [server, setServer] = useState<AssistantServer | null>(null);
  useEffect(() => {
    let isWanted = true;
    shell.assistants.serverOf(locationIdOf(id)!).then((found) => isWanted && setServer(found), notifyFailure);
    return () => void (isWanted = false);
  }, [id]);
  return server;
}

function Session({ session }: { readonly session: AssistantSession }): ReactNode {
  const { id, client, files } = session;
  return (
    <li className="row gap-8">
      <span className="grow shrink-x break-words">
        <b>{client}</b> · {files.join(', ')}
        <br />
        <span className="small dim figures">{askedText(session)}</span>
      </span>
      <Button
        size="small"
        title="It gets no further answer until it is started again"
        aria-label={`End ${client}`}
        onClick={() => void shell.assistants.end(id).catch(notifyFailure)}
      >
        End
      </Button>
    </li>
  );
}

/** “query 12, schema 1; proposals: 2 kept, 1 waiting”. */
function askedText({ calls, proposals }: AssistantSession): string {
  const counts = new Map<string, number>();
  for (const { state } of proposals) counts.set(state, (counts.get(state) ?? 0) + 1);
  const called = Object.entries(calls).map(([tool, count]) => `${tool} ${formatCount(count)}`);
  const proposed = Array.from(counts, ([state, count]) => `${formatCount(count)} ${state}`);
  return [called.join(', ') || 'no calls yet', proposed.length > 0 && `proposals: ${proposed.join(', ')}`].filter(Boolean).join('; '); // prettier-ignore
}
