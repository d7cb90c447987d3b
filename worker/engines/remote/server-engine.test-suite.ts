// An engine for databases of a server that is there for tests, asked over a network thread as in the product.
import type { Engine } from '../engine.ts';
import { startNetwork } from './network/network-thread.test-suite.ts';
import { createRemoteEngine } from './remote-engine.ts';

/** @param url of the server, by the location of the database */
export const serverEngine = (url: (location: string) => string): Promise<Engine> =>
  createRemoteEngine((location) => ({ url: url(location), token: null, readOnly: false }), { startNetwork });
