/** Which profile is shown: one of them, or all; a failing one is shown as failing. */
import { useQuery } from "urql";
import { graphql } from "../graphql/generated";
import { count } from "../lib/format";
import { Icon } from "./Icon";
import { Menu, MenuChoice, MenuLabel, MenuLine } from "./Menu";
import styles from "./ProfileMenu.module.css";

const Profiles = graphql(`
  query Profiles {
    profiles {
      nodeId
      name
      isDefault
      status
      statusReason
      conversationCount
    }
  }
`);

interface ProfileMenuProps {
  profile: string | null;
  onChange: (profile: string | null) => void;
}

export function ProfileMenu({ profile, onChange }: ProfileMenuProps) {
  const [{ data }] = useQuery({ query: Profiles });
  const profiles = data?.profiles ?? [];
  const trigger = (
    <button type="button" className={styles.profile}>
      <span className="visually-hidden">Profile: </span>
      <span className={styles.profileName}>{profile ?? "All profiles"}</span>
      <Icon name="down" size={12} />
    </button>
  );
  return (
    <Menu trigger={trigger}>
      <MenuChoice exclusive checked={profile === null} onSelect={() => onChange(null)}>
        All profiles
      </MenuChoice>
      <MenuLine />
      <MenuLabel>One profile</MenuLabel>
      {profiles.map((each) => (
        <MenuChoice key={each.nodeId} exclusive checked={each.name === profile} note={statusNote(each)} onSelect={() => onChange(each.name)}>
          <span title={each.statusReason ?? undefined}>{each.name}</span>
        </MenuChoice>
      ))}
    </Menu>
  );
}

function statusNote({ status, conversationCount }: { status: string; conversationCount?: number | null }): string {
  if (status === "READY") return count(conversationCount ?? 0);
  return status.toLowerCase().replace("_", " ");
}
