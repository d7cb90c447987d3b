// Publishing without a server: the process of a connection serves these operations (`remote/publish`).
import { fail } from '#shared/protocol/errors.ts';
import type { PublishOperations } from '#shared/protocol/publish.ts';
import type { Handlers } from '#shared/rpc/server.ts';

function serverOnly(): never {
  fail('unavailable', 'A database is published to a database on a server. Choose a connection.');
}

export const publishElsewhere: Handlers<PublishOperations, unknown> = {
  'publish.preview': serverOnly,
  'publish.find': serverOnly,
  'publish.run': serverOnly,
  'publish.remove': serverOnly,
  'publish.close': serverOnly,
};
