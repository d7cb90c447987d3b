// Actions that a table refuses with a message before sending a request to the database.
import { AppError } from '#shared/protocol/errors.ts';

/** @param message a whole sentence; it is shown as a hint, not as a failure */
export const refused = (message: string): AppError => new AppError({ code: 'refused', message });
