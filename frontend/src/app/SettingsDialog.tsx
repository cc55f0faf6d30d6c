/** What a person sets for this browser: each setting as a row of choices that work at once. */
import { type Closing, DialogFrame } from "../components/DialogFrame";
import { changeSetting, choicesOf, type Setting, settingNames } from "../lib/settings";
import { useSettings } from "../lib/useSettings";
import styles from "./SettingsDialog.module.css";
import { SETTING_WORDS } from "./settingWords";

export function SettingsDialog({ onHelp, ...closing }: Closing & { onHelp: () => void }) {
  return (
    <DialogFrame title="Settings" className={styles.dialog} {...closing}>
      {settingNames.map((name) => (
        <Row key={name} name={name} />
      ))}
      <footer className={styles.footer}>
        <span>Kept in this browser.</span>
        <button type="button" className={styles.link} onClick={onHelp}>
          Show all keys
        </button>
      </footer>
    </DialogFrame>
  );
}

function Row<Name extends Setting>({ name }: { name: Name }) {
  const settings = useSettings();
  const { label, note, choices } = SETTING_WORDS[name];
  return (
    <fieldset className={styles.row}>
      <legend className={styles.words}>
        <span>{label}</span>
        <span className={styles.note}>{note}</span>
      </legend>
      <div className={styles.choices}>
        {choicesOf(name).map((value) => (
          <label key={value} className={styles.choice}>
            <input type="radio" name={name} value={value} checked={settings[name] === value} onChange={() => changeSetting(name, value)} />
            <span>{(choices as Record<string, string>)[value]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
