// A primary and one replica of it, on loopback: writes that reach the replica are forwarded to the primary.
import { freePort } from '../free-port.ts';
import { ensureSqld } from './ensure-sqld.ts';
import { startSqld } from './start-sqld.ts';

export interface Replicated {
  readonly primary: string;
  readonly replica: string;
  end(): Promise<void>;
}

/** `why`: it is not available here. */
export async function startReplicated(): Promise<Replicated | { readonly why: string }> {
  const sqld = await ensureSqld();
  if ('why' in sqld) return sqld;
  const { program } = sqld;
  const link = `127.0.0.1:${await freePort()}`;
  const primary = await startSqld({ program, args: ['--grpc-listen-addr', link] });
  const replica = await startSqld({ program, args: ['--primary-grpc-url', `http://${link}`] });
  return {
    primary: primary.url,
    replica: replica.url,
    async end() {
      await replica.remove();
      await primary.remove();
    },
  };
}
