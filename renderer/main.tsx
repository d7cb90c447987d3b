// Starts the window: theme before the first paint, then the interface, then the connection.
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { followTheme } from './app/theme.ts';
import { startClient } from './client/start.ts';
import { notifyFailure } from './client/databases.ts';
import { UiProvider } from './ui/provider.tsx';
import './ui/tokens.css';
import './ui/base.css';

followTheme();
createRoot(document.getElementById('root')!).render(
  <UiProvider>
    <App />
  </UiProvider>,
);
startClient().catch(notifyFailure);
