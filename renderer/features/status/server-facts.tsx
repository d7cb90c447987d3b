// Status bar items for a database on a server: which connection, how careful, and what the requests cost.
import type { ReactNode } from 'react';
import { D1_LIMITS, isD1 } from '#shared/protocol/index.ts';
import type { RemoteConnection } from '#shared/protocol/index.ts';
import type { RowsTouched } from '../../state/slices/remote.ts';
import { useStore } from '../../state/store.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { ColorDot } from '../../workbench/databases/color-dot.tsx';

export function ServerFacts({ connection }: { readonly connection: RemoteConnection }): ReactNode {
  const { database, name, address, color, production } = connection;
  const engine = useStore((state) => state.processEngines[database]);
  const rows = useStore((state) => state.rowsTouched[database]);
  const lines = [address, 'Changes are on the server as soon as they are committed.'];
  if (isD1(address)) lines.push(`Cloudflare D1, experimental. ${D1_LIMITS}`);
  if (engine?.sqliteVersion) lines.push(`The server runs SQLite ${engine.sqliteVersion}.`);
  return (
    <>
      <Tooltip text={lines.join('\n')}>
        <span className="row-inline gap-6 shrink-x text-color status-item">
          <ColorDot color={color} />
          <bdi>{name}</bdi>
          {production && <span className="warn">production</span>}
        </span>
      </Tooltip>
      {rows && <RowCost rows={rows} />}
    </>
  );
}

function RowCost({ rows: { read, written, lastRead, lastWritten } }: { readonly rows: RowsTouched }): ReactNode {
  const last = `Last request: ${plural(lastRead, 'row')} read, ${formatCount(lastWritten)} written.`;
  const total = `Since the connection was opened, all windows: ${formatCount(read)} read, ${formatCount(written)} written.`;
  return (
    <Tooltip text={`${last}\n${total}\nCounted by the server, which may bill them.`}>
      <span className="status-item status-optional">
        rows read <b>{formatCount(lastRead)}</b> of {formatCount(read)}
        {written > 0 && (
          <>
            , written <b>{formatCount(lastWritten)}</b> of {formatCount(written)}
          </>
        )}
      </span>
    </Tooltip>
  );
}
