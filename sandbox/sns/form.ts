/** A node of an AWS query form, where `A.member.1.B=x` is a path: A → member → 1 → B. */
export interface FormNode {
  /** The value at this path, or an empty text. */
  readonly text: string;
  has(name: string): boolean;
  /** The node with this name below this one; an empty node where there is none. */
  child(name: string): FormNode;
  /** The numbered nodes below this one, in order. */
  children(): readonly FormNode[];
}

interface Tree {
  text: string;
  readonly below: Map<string, Tree>;
}

/** Parses the body of a request of the AWS query protocol, which the SDK's SNS client uses. */
export function readForm(body: string): FormNode {
  const root = emptyTree();
  for (const [path, text] of new URLSearchParams(body)) {
    let tree = root;
    for (const name of path.split('.')) {
      const next = tree.below.get(name) ?? emptyTree();
      tree.below.set(name, next);
      tree = next;
    }
    tree.text = text;
  }
  return nodeOf(root);
}

function nodeOf(tree: Tree): FormNode {
  return {
    text: tree.text,
    has: (name) => tree.below.has(name),
    child: (name) => nodeOf(tree.below.get(name) ?? emptyTree()),
    children: () => [...tree.below.values()].map(nodeOf),
  };
}

function emptyTree(): Tree {
  return { text: '', below: new Map() };
}
