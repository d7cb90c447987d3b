// The window's connection to the worker and the host page: one of each, for everybody.
import { connectHost } from './connect.ts';
import { createReconnectingClient } from './reconnecting-client.ts';
import { shell } from './shell.ts';

export const client = createReconnectingClient(connectHost, () => shell.windowInfo());
