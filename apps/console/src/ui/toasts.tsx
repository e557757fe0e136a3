import { Toast } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { texts } from '../texts';
import { hearAnnounced } from './announce';

/** Says in a corner of the window what was done. */
export const Toasts = () => (
  <Toast.Provider>
    <Toast.Viewport className="toasts" aria-label={texts.toasts}>
      <Shown />
    </Toast.Viewport>
  </Toast.Provider>
);

function Shown() {
  const { toasts, add } = Toast.useToastManager();
  useEffect(() => hearAnnounced((title) => void add({ title })), [add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title render={<p />} />
      <Toast.Close className="plain" aria-label={texts.dismiss}>
        ×
      </Toast.Close>
    </Toast.Root>
  ));
}
