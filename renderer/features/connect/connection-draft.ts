// The text typed into the connection dialog, and what it means.
import { D1_LIMITS, isD1, nameOfAddress, readAddress } from '#shared/protocol/index.ts';
import type { ConnectionColor, RemoteConnection, RemoteDraft, RemoteFacts } from '#shared/protocol/index.ts';
import { plural } from '../../ui/format.ts';

export interface Draft {
  readonly address: string;
  readonly token: string;
  readonly name: string;
  readonly color: ConnectionColor;
  readonly readOnly: boolean;
  readonly production: boolean;
  readonly dropsToken: boolean;
}

export const draftOf = (edited: RemoteConnection | 'new'): Draft =>
  edited === 'new'
    ? { address: '', token: '', name: '', color: 'gray', readOnly: false, production: false, dropsToken: false }
    : { ...edited, token: '', dropsToken: false };

/** Draft to send to the main process. A token field that was left empty leaves the token as it is. */
export function toSend(draft: Draft, edited: RemoteConnection | 'new'): RemoteDraft {
  const { address, name, color, readOnly, production, dropsToken } = draft;
  const token = draft.token.trim();
  const isLeft = token === '' && edited !== 'new' && !dropsToken;
  return {
    database: edited === 'new' ? null : edited.database,
    ...{ address, name, color, readOnly, production },
    token: isLeft ? null : token,
  };
}

/** What is wrong with the address; null while nothing has been typed. */
export function problemOf({ address }: Draft): string | null {
  if (address.trim() === '') return null;
  const read = readAddress(address);
  return 'why' in read ? read.why : null;
}

export function suggestedName({ address }: Draft): string {
  const read = readAddress(address);
  return 'address' in read ? nameOfAddress(read.address) : '';
}

/** Which kinds of server exist, or a hint about the one whose address was typed. */
export function serverNote({ address }: Draft): string {
  const read = readAddress(address);
  if (!('address' in read && isD1(read.address)))
    return 'A libSQL server (sqld), a Turso database, or, experimentally, Cloudflare D1 (at api.cloudflare.com).';
  return `Cloudflare D1 is experimental: Sidelite was tested with its engine, but never with Cloudflare’s servers. ${D1_LIMITS}`;
}

export function factsText({ sqliteVersion, tables, whyReadOnly }: RemoteFacts): string {
  // D1 does not report its version.
  const found = `Connected: ${sqliteVersion === '' ? '' : `SQLite ${sqliteVersion}, `}${plural(tables, 'table')}.`;
  return whyReadOnly === null ? found : `${found} ${whyReadOnly}`;
}

export function tokenNote(edited: RemoteConnection | 'new', keepsTokens: boolean): string {
  const kept = keepsTokens
    ? 'Stored encrypted, with a key that the operating system keeps.'
    : 'This system has no key store that Sidelite can use, so the token is kept only until Sidelite ends.';
  switch (edited === 'new' ? 'none' : edited.token) {
    case 'none':
      return kept;
    case 'known':
      return `A token is stored. Leave the field empty to keep it. ${keepsTokens ? '' : kept}`.trim();
    case 'session':
      return keepsTokens
        ? `${STORE_FAILED}, so the token is kept only until Sidelite ends. Save the connection again to try to store it.`
        : `The token is in use. Leave the field empty to keep it. ${kept}`;
    case 'forgotten':
      return keepsTokens
        ? 'The token could not be stored, or can no longer be decrypted. Enter it again.'
        : `The token was kept only until Sidelite ended. Enter it again. ${kept}`;
  }
}

const STORE_FAILED = 'The key store of the operating system reported an error';

/** Message after a connection was saved; null if everything was saved. */
export const savingNote = ({ name, token }: RemoteConnection, keepsTokens: boolean): string | null =>
  keepsTokens && token === 'session'
    ? `${STORE_FAILED}, so the token of “${name}” is kept only until Sidelite ends.`
    : null;
