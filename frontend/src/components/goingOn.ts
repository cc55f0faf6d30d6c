/** A note that comes when something takes long, with how much of it is done. */
import type { Toast, ToastHandle } from "./Toasts";

/** What is over sooner needs no note that it goes on. */
const SHOW_AFTER = 500;

export function goingOn(toast: (toast: Toast) => ToastHandle, text: string) {
  let part: number | null = null;
  let note: ToastHandle | null = null;
  const timer = setTimeout(() => {
    note = toast({ text, progress: part });
  }, SHOW_AFTER);
  return {
    progress: (done: number) => {
      part = done > 0 && done < 1 ? done : part;
      note?.update({ text, progress: part });
    },
    dismiss: () => {
      clearTimeout(timer);
      note?.dismiss();
    },
  };
}
