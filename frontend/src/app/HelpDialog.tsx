/** All keys, out of the action registry. */
import * as Dialog from "@radix-ui/react-dialog";
import { IconButton } from "../components/IconButton";
import { ACTIONS, actionIds, type Scope } from "../lib/actions";
import styles from "./HelpDialog.module.css";

const SCOPES: Record<Scope, string> = {
  everywhere: "Everywhere",
  list: "In the list",
  reader: "In the reader",
  lineage: "In the lineage",
  compare: "Where two branches are compared",
};
const NAMES: Record<string, string> = { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        {/* No Dialog.Overlay: it locks scrolling with an inline style sheet, which the content security policy refuses. */}
        <div className={styles.scrim} />
        <Dialog.Content className={styles.dialog} aria-describedby={undefined}>
          <header className={styles.header}>
            <Dialog.Title className={styles.title}>Keys</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon="close" label="Close" />
            </Dialog.Close>
          </header>
          <div className={styles.columns}>
            {(Object.keys(SCOPES) as Scope[]).map((scope) => (
              <Keys key={scope} scope={scope} />
            ))}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Keys({ scope }: { scope: Scope }) {
  return (
    <section>
      <h3 className={styles.scope}>{SCOPES[scope]}</h3>
      <dl className={styles.keys}>
        {actionIds
          .filter((id) => ACTIONS[id].scope === scope)
          .map((id) => (
            <div key={id} className={styles.line}>
              <dt>{ACTIONS[id].label}</dt>
              <dd>
                {ACTIONS[id].keys.map((key) => (
                  <kbd key={key} className={styles.key}>
                    {NAMES[key] ?? key.replace(" ", " then ")}
                  </kbd>
                ))}
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
