// Archives without the native engine, which alone has temporary files to unpack into (`native/archive`).
import { fail } from '#shared/protocol/errors.ts';
import type { ArchiveOperations } from '#shared/protocol/archive.ts';
import type { Handlers } from '#shared/rpc/server.ts';

function nativeOnly(): never {
  fail('unavailable', 'Archives are opened in the desktop app. Unpack the file first.');
}

export const archivesElsewhere: Handlers<ArchiveOperations, unknown> = {
  'archive.list': nativeOnly,
  'archive.unpack': nativeOnly,
};
