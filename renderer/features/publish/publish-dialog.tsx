// The dialog that publishes a local database to an empty one on a server: the target, what is sent, the progress, and what has arrived.
import { useEffect, useRef, type ReactNode } from 'react';
import type { DatabaseId, LibraryEntry, NotPublished, PublishPreview, PublishReply } from '#shared/protocol/index.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { amountText, shareOf } from '../../ui/progress-text.ts';
import { runCommand } from '../../workbench/commands/commands.ts';
import { ColorDot } from '../../workbench/databases/color-dot.tsx';
import {
  begunText,
  connectionNote,
  contentsText,
  isPossibleTarget,
  isSame,
  notPublishedText,
  occupiedText,
  outcomeText,
  tableText,
} from './publish-labels.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import {
  beginPublishing,
  choose,
  closeDialog,
  find,
  isAtWork,
  lookAt,
  publish,
  removePublished,
  stop,
  usePublish,
} from './publish-session.ts';
import './publish-dialog.css';

/** Digits of the digest to show: enough to compare by eye. */
const DIGITS = 12;

function Contents({ preview }: { readonly preview: PublishPreview }): ReactNode {
  if (preview.occupiedBy.length > 0)
    return (
      <p className="publish-bad" role="alert">
        {occupiedText(preview)}
      </p>
    );
  return (
    <>
      <p>
        {preview.begun
          ? begunText(preview)
          : `${contentsText(preview)}. Everything is read back and compared at the end.`}
      </p>
      <Rows label="What is sent" heads={['Table', 'Rows', 'Values']}>
        {preview.tables.map(({ name, rows, bytes }) => (
          <tr key={name}>
            <th scope="row">{visibleName(name)}</th>
            <td>{formatCount(rows)}</td>
            <td>{bytes === null ? '' : formatBytes(bytes)}</td>
          </tr>
        ))}
      </Rows>
      <LeftOut title="Cannot be published" some={preview.notPublished} notes={preview.notes} />
    </>
  );
}

function Report({ reply }: { readonly reply: PublishReply }): ReactNode {
  const target = usePublish((state) => state.target);
  const name = useStore((state) => connectionOf(state, target)?.name ?? '');
  return (
    <>
      <p className={reply.outcome === 'failed' ? 'publish-bad' : ''} role="status">
        {outcomeText(reply, name)}
      </p>
      <Rows label="What is on the server" heads={['Table', 'Rows', 'On the server', 'SHA-256']}>
        {reply.tables.map((table) => (
          <tr key={table.name} data-same={isSame(table)}>
            <th scope="row">{visibleName(table.name)}</th>
            <td>{formatCount(table.rows)}</td>
            <td>{tableText(table)}</td>
            <td className="publish-digest" title={table.onServer?.digest}>
              {table.onServer?.digest.slice(0, DIGITS) ?? ''}
            </td>
          </tr>
        ))}
      </Rows>
      <LeftOut title="Not on the server" some={reply.notPublished} notes={[]} />
    </>
  );
}

interface RowsProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly children: ReactNode;
}

function Rows({ label, heads, children }: RowsProps): ReactNode {
  return (
    <div className="scroll publish-tables" role="region" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface LeftOutProps {
  readonly title: string;
  readonly some: readonly NotPublished[];
  readonly notes: readonly string[];
}

function LeftOut({ title, some, notes }: LeftOutProps): ReactNode {
  if (some.length === 0 && notes.length === 0) return null;
  return (
    <FactList label={title}>
      {some.map((one) => (
        <Fact key={`${one.kind} ${one.name}`} tone="warning">
          {notPublishedText(one)}
        </Fact>
      ))}
      {notes.map((note) => (
        <Fact key={note} tone="plain">
          {note}
        </Fact>
      ))}
    </FactList>
  );
}

interface PublishProps {
  readonly onOpen: (database: DatabaseId) => void;
}

export function Publish({ onOpen }: PublishProps): ReactNode {
  const source = useStore((state) => state.publishedDatabase);
  if (!source) return null;
  return <PublishDialog key={source.id} source={source} onOpen={onOpen} />;
}

function PublishDialog({ source, onOpen }: PublishProps & { readonly source: LibraryEntry }): ReactNode {
  useEffect(beginPublishing, []);
  const { stage, preview, reply, told } = usePublish();
  const first = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={`Publish “${source.name}” to a server`}
      initialFocus={first}
      onClose={closeDialog}
      footer={<Buttons source={source} onOpen={onOpen} />}
    >
      <div className="stack gap-8 publish">
        {!reply && <Targets first={first} />}
        {preview && !reply && stage !== 'choose' && <Contents preview={preview} />}
        {reply && <Report reply={reply} />}
        {isAtWork(stage) && <AtWork />}
        <p className={told?.tone === 'bad' ? 'publish-told publish-bad' : 'publish-told'} role="status">
          {told?.text ?? ''}
        </p>
      </div>
    </Dialog>
  );
}

function Targets({ first }: { readonly first: React.RefObject<HTMLInputElement | null> }): ReactNode {
  const connections = useStore((state) => state.connections);
  const target = usePublish((state) => state.target);
  const isFixed = usePublish(({ stage }) => isAtWork(stage));
  if (connections.length === 0)
    return <p>There is no connection yet. Connect to an empty database on a server, then publish to it.</p>;
  const firstPossible = connections.find(isPossibleTarget)?.database;
  return (
    <fieldset className="shrink-x flush publish-targets">
      <legend>To the empty database</legend>
      {connections.map((connection) => (
        <label key={connection.database}>
          <input
            ref={connection.database === (target ?? firstPossible) ? first : null}
            type="radio"
            name="publish-target"
            checked={connection.database === target}
            disabled={!isPossibleTarget(connection) || isFixed}
            onChange={() => choose(connection.database)}
          />
          <ColorDot color={connection.color} />
          <span className="cut text-color publish-name">{connection.name}</span>
          <span className="cut faint">{connectionNote(connection) || connection.address}</span>
        </label>
      ))}
    </fieldset>
  );
}

function AtWork(): ReactNode {
  const { stage, progress } = usePublish();
  const words = stage === 'removing' ? 'Removing what was published' : 'Preparing';
  return (
    <div className="stack gap-6 text-color">
      <ProgressBar label="Progress" share={shareOf(progress)} />
      <span role="status">{progress ? `${progress.phase} · ${amountText(progress)}` : words}</span>
    </div>
  );
}

function Buttons({ source, onOpen }: PublishProps & { readonly source: LibraryEntry }): ReactNode {
  const { stage, target, preview, reply, isStopping } = usePublish();
  const hasNone = useStore((state) => state.connections.length === 0);
  if (isAtWork(stage))
    return (
      <>
        <Button className="publish-back" variant="danger" disabled={isStopping} onClick={stop}>
          {isStopping ? 'Stopping' : 'Stop'}
        </Button>
        <span className="publish-next" />
      </>
    );
  if (reply && preview && target)
    return reply.outcome === 'done' ? (
      <DoneButtons target={target} onOpen={onOpen} />
    ) : (
      <UnfinishedButtons target={target} preview={preview} reply={reply} />
    );
  return (
    <>
      <Button className="publish-back" onClick={closeDialog}>
        Cancel
      </Button>
      {hasNone ? (
        <Button
          variant="primary"
          className="publish-next"
          onClick={() => closeAndThen(() => runCommand('file.connect'))}
        >
          Connect to server…
        </Button>
      ) : preview !== null && stage === 'ready' && target ? (
        <Button
          variant="primary"
          className="publish-next"
          disabled={preview.occupiedBy.length > 0}
          onClick={() => void (preview.begun ? find : publish)(preview, target)}
        >
          {preview.begun ? 'Compare' : preview.notPublished.length > 0 ? 'Publish the rest' : 'Publish'}
        </Button>
      ) : (
        <Button
          variant="primary"
          className="publish-next"
          disabled={!target}
          onClick={() => target && void lookAt(source, target)}
        >
          Continue
        </Button>
      )}
    </>
  );
}

function DoneButtons({ target, onOpen }: PublishProps & { readonly target: DatabaseId }): ReactNode {
  const name = useStore((state) => connectionOf(state, target)?.name ?? '');
  return (
    <>
      <Button className="publish-back" onClick={closeDialog}>
        Close
      </Button>
      <Button
        variant="primary"
        className="publish-next"
        title={name}
        onClick={() => closeAndThen(() => onOpen(target))}
      >
        <span>Open “{name}”</span>
      </Button>
    </>
  );
}

interface UnfinishedProps {
  readonly target: DatabaseId;
  readonly preview: PublishPreview;
  readonly reply: PublishReply;
}

function UnfinishedButtons({ target, preview, reply }: UnfinishedProps): ReactNode {
  return (
    <>
      {reply.hasTables !== 'no' && (
        <Button variant="danger" className="publish-remove" onClick={() => void removePublished(preview, target)}>
          Remove what was published
        </Button>
      )}
      <Button className="publish-back" onClick={closeDialog}>
        Close
      </Button>
      <Button variant="primary" className="publish-next" onClick={() => void publish(preview, target)}>
        Continue
      </Button>
    </>
  );
}

function closeAndThen(act: () => void): void {
  closeDialog();
  act();
}
