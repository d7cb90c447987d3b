// Help over the window: keyboard shortcuts and the components of this app.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { COMMANDS } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import type { WindowInfo } from '#shared/shell-api.ts';
import { commandKeyLabel, runCommand, useCommand } from '../../workbench/commands/commands.ts';
import { keyLabel, keysHere } from '../../workbench/commands/key-map.ts';
import { isDesktop, shell } from '../../connection/shell.ts';
import { notifyFailure } from '../../state/databases.ts';
import { useSetting } from '../../state/settings.ts';
import { setOverlay, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Described } from '../../ui/described.tsx';
import './help.css';

const SCOPE_NOTES = {
  window: '',
  grid: 'in the grid',
  editor: 'in the SQL editor',
  text: 'in the text of the SQL editor',
};

export function Help(): ReactNode {
  const overlay = useStore((state) => state.overlay);
  useCommand('help.keys', () => setOverlay('keys'));
  useCommand('help.about', () => setOverlay('about'));
  if (overlay === 'keys') return <Keys />;
  return overlay === 'about' ? <About /> : null;
}

const close = (): void => setOverlay(null);

function Keys(): ReactNode {
  const keys = useSetting('keys');
  const commands = (COMMANDS as readonly Command[]).filter((command) => keysHere(command, keys).length > 0);
  const menus = [...new Set(commands.map(({ menu }) => menu))];
  const closeButton = useRef<HTMLButtonElement>(null);
  const footer = (
    <>
      <Button onClick={() => void (close(), runCommand('settings.show'))}>Change keys…</Button>
      <Button ref={closeButton} onClick={close}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title="Keyboard shortcuts" wide initialFocus={closeButton} onClose={close} footer={footer}>
      <p className="keys-note">
        In the SQL editor, Tab indents. Press <kbd>Esc</kbd> and then <kbd>Tab</kbd> to leave it, or{' '}
        <kbd>{commandKeyLabel('editor.tabMovesFocus')}</kbd> to let Tab always move the focus.
      </p>
      {/* Makes it scrollable without a pointer. */}
      <div className="keys-groups" role="group" aria-label="Commands with a key" tabIndex={0}>
        {menus.map((menu) => (
          <section key={menu} className="keys-group">
            <h3>{menu ?? 'Other'}</h3>
            {commands
              .filter((command) => command.menu === menu)
              .map((command) => (
                <KeysRow key={command.id} command={command} keys={keysHere(command, keys)} />
              ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

interface KeysRowProps {
  readonly command: Command;
  readonly keys: readonly string[];
}

function KeysRow({ command: { title, scope }, keys }: KeysRowProps): ReactNode {
  return (
    <div className="gap-12 text-color keys-row" title={SCOPE_NOTES[scope]}>
      {title}
      <span>
        {keys.map((each) => (
          <kbd key={each}>{keyLabel(each)}</kbd>
        ))}
      </span>
    </div>
  );
}

function About(): ReactNode {
  const engine = useStore((state) => state.connection.info?.engine);
  const [info, setInfo] = useState<WindowInfo | null>(null);
  useEffect(() => void shell.windowInfo().then(setInfo, notifyFailure), []);
  // A dialog that got its facts after it was shown would grow.
  if (!info) return null;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Sidelite', info.appVersion || (isDesktop ? undefined : 'in a browser tab')],
    ['SQLite', engine?.sqliteVersion],
    ['Source id', engine?.sqliteSourceId],
    ['Engine', engine && (engine.kind === 'wasm' ? 'WebAssembly over OPFS' : 'native')],
    ['Electron', info.electronVersion],
    ['Chromium', info.chromiumVersion],
    ['System', info.platform],
  ];
  return (
    <Dialog title="About Sidelite" onClose={close} footer={<Button onClick={close}>Close</Button>}>
      Browse and edit SQLite databases, live in every window.
      <dl className="about-facts">
        {facts.map(
          ([name, value]) =>
            value && (
              <Described key={name} name={name}>
                {value}
              </Described>
            ),
        )}
      </dl>
    </Dialog>
  );
}
