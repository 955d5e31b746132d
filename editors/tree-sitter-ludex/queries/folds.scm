[(block) (list) (parentheses)] @fold
