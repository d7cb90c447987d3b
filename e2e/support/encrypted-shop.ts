// The shop of an encrypted file, or of a plain one, among the files of an app.
import { join } from 'node:path';
import { filesWith as filesBelow, makeShop, PASSWORD, queryShop } from '../../build/encrypted-shop.test-suite.ts';
import type { SideliteApp } from '../sidelite-app.ts';

export {
  openShop as openEncrypted,
  PASSWORD,
  PLAIN,
  queryShop as queryEncrypted,
} from '../../build/encrypted-shop.test-suite.ts';

export function makeEncryptedShop(app: SideliteApp, name = 'shop.db', password: string | null = PASSWORD): string {
  const file = join(app.folder, name);
  makeShop(file, password);
  return file;
}

export const makePlainShop = (app: SideliteApp): string => makeEncryptedShop(app, 'plain.db', null);

export const queryPlain = (file: string, sql: string): unknown[] => queryShop(file, sql, null);

/** The files of the profile and among the temporary ones that have the text in them. */
export const filesWith = (app: SideliteApp, text: string): string[] =>
  [app.profile, app.temporary].flatMap((folder) => filesBelow(folder, text));
