// How `npm run dev` and the app it starts communicate: environment variables, and paths of the development server.

/** The address of the window's development server, as `http://127.0.0.1:PORT`. */
export const DEV_SERVER_VARIABLE = 'SIDELITE_DEV_SERVER';
/** The port on which Node's inspector listens in the native process. */
export const INSPECT_NATIVE_VARIABLE = 'SIDELITE_INSPECT_NATIVE';
/** A response that never ends, with one word of `DevEvent` a line. */
export const DEV_EVENTS_PATH = '/@sidelite/dev-events';

/** Parts to restart because their code has changed. `main` quits the app, and `npm run dev` starts it again. */
const DEV_EVENTS = ['main', 'windows', 'host', 'native'] as const;
export type DevEvent = (typeof DEV_EVENTS)[number];
