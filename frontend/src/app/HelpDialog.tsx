/** All keys, out of the action registry. */
import { type Closing, DialogFrame } from "../components/DialogFrame";
import { KeyCaps } from "../components/KeyCaps";
import { ACTIONS, type ActionId, actionIds, keysOf, type Scope } from "../lib/actions";
import { isSingle } from "../lib/keys";
import { changeSetting } from "../lib/settings";
import { useSettings } from "../lib/useSettings";
import styles from "./HelpDialog.module.css";

const SCOPES: Record<Scope, string> = {
  everywhere: "Everywhere",
  list: "In the list",
  reader: "In the reader",
  lineage: "In the lineage",
  compare: "Where two branches are compared",
};

export function HelpDialog(closing: Closing) {
  const { singleKeys } = useSettings();
  const isOn = singleKeys === "on";
  return (
    <DialogFrame title="Keys" className={styles.dialog} {...closing}>
      <label className={styles.switch}>
        <input type="checkbox" checked={isOn} onChange={() => changeSetting("singleKeys", isOn ? "off" : "on")} />
        <span>
          Single keys <span className={styles.note}>{isOn ? "letters and signs work on their own" : "off: letters and signs do nothing on their own"}</span>
        </span>
      </label>
      <div className={styles.columns}>
        {(Object.keys(SCOPES) as Scope[]).map((scope) => (
          <Keys key={scope} scope={scope} areSinglesOn={isOn} />
        ))}
      </div>
    </DialogFrame>
  );
}

function Keys({ scope, areSinglesOn }: { scope: Scope; areSinglesOn: boolean }) {
  const ids = actionIds.filter((id) => ACTIONS[id].scope === scope && keysOf(id).length > 0);
  const isOff = (id: ActionId) => !areSinglesOn && keysOf(id).every(isSingle);
  return (
    <section>
      <h3 className={styles.scope}>{SCOPES[scope]}</h3>
      <dl className={styles.keys}>
        {ids.map((id) => (
          <div key={id} className={styles.line} data-off={isOff(id) || undefined}>
            <dt>{ACTIONS[id].label}</dt>
            <dd>
              {keysOf(id).map((keys) => (
                <KeyCaps key={keys} keys={keys} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
