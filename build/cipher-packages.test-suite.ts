// The programs that encrypted files come from, as judges: SQLCipher itself, and SQLite3 Multiple Ciphers with a newer SQLite.
import type { PypiPackages } from './pypi-packages.ts';

export const CIPHER_PROGRAMS: PypiPackages = {
  name: 'sqlcipher3-0.6.4+apsw-sqlite3mc-3.54.0.0',
  wheels: {
    'sqlcipher3==0.6.4': '8168f8799b3d63c36ace6aeec3bc78818a52af85a0e756e1b5963673ccb7af29',
    'apsw-sqlite3mc==3.54.0.0': '814782d9ab6613eca93c7d7d8985baf472850f7d720ea16fe66dd48178ae9057',
  },
};
