import { mount } from 'svelte';
import App from './App.svelte';
import { setLanguage } from './messages/messages.svelte';
import { listen } from './router.svelte';
import { applyTheme, preferences } from './table/settings.svelte';
import './ui/base.css';
import './ui/board.css';

applyTheme();
listen();
await setLanguage(preferences.language);
mount(App, { target: document.getElementById('app')! });
