//! An endless game.

use std::path::Path;

pub const RULES: &str = "ludex 1
game counting \"Counting\"
sides 2
type step is one of up, down
each side has { counter points }
to play {
  repeat at most 2000000 times {
    each side in sides {
      side must choose a step as taken \"Up or down?\"
      if taken is up { add 1 to side.points }
    }
  } otherwise { finish with nobody \"enough\" }
}
";

/// The key of the first of its two moves.
pub const FIRST: &str = "choose(up)";

/// Its path within a folder that makes it a known game.
pub const PATH: &str = "rules/counting/counting.ludex";

pub fn write(folder: &Path) {
    let path = folder.join(PATH);
    std::fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("there is room for files");
    std::fs::write(path, RULES).expect("there is room for files");
}
