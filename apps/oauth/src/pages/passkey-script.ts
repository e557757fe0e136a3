import { createHash } from 'node:crypto';
import { Html } from './html.js';

/**
 * The only script of these pages, on those with passkeys: it asks the browser for a passkey, puts the response into the form
 * and submits it. Without it, or in a browser without passkeys, the form stays hidden. The content security policy has
 * its hash.
 */
const script = `
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const keys = window.PublicKeyCredential;
  if (!keys?.parseCreationOptionsFromJSON) continue;
  const note = form.querySelector('[role=alert]');
  const options = JSON.parse(form.dataset.options);
  form.hidden = false;
  form.closest('section').querySelector('[data-without-passkeys]')?.remove();
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.textContent = '';
    try {
      const credential = form.dataset.passkey === 'create'
        ? await navigator.credentials.create({ publicKey: keys.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: keys.parseRequestOptionsFromJSON(options) });
      form.elements.response.value = JSON.stringify(credential);
      form.submit();
    } catch (error) {
      note.textContent = error.name === 'InvalidStateError'
        ? 'This device has a passkey for you already.'
        : 'Your device gave no passkey. Try again, or use your password.';
    }
  });
}
`;

export const passkeyScript = new Html(`<script type="module">${script}</script>`);

export const passkeyScriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
