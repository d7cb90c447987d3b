// Lists what will be sent, and what has arrived, table by table.
import type { ReactNode } from 'react';
import type { NotPublished, PublishPreview, PublishReply } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import {
  begunText,
  contentsText,
  isSame,
  notPublishedText,
  occupiedText,
  outcomeText,
  tableText,
} from './publish-labels.ts';
import { usePublish } from './publish-session.ts';

/** Digits of the digest to show: enough to compare by eye. */
const DIGITS = 12;

export function Contents({ preview }: { readonly preview: PublishPreview }): ReactNode {
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

export function Report({ reply }: { readonly reply: PublishReply }): ReactNode {
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
    <div className="publish-tables" role="region" aria-label={label} tabIndex={0}>
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
