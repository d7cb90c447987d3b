// The window's connection to the worker and the host page: one of each, for everybody.
import { connectHost } from './connect.ts';
import { ReconnectingClient } from './reconnecting-client.ts';
import { shell } from './shell.ts';

export const client = new ReconnectingClient(connectHost, () => shell.windowInfo());
