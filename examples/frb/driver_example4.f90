! Example 4 of the FRB package: a free body in several steps of quat_step_gauss, its attitude a quaternion. Beside the drivers of
! the paper: the integral of the third kind is taken by Gauss nodes, as many as the last number of the input.
! Reads init_example4.dat: h, the final time, the momentum, the attitude with the scalar part first, the moments of inertia, nodes.
! Writes out_example4.dat: momentum, attitude and time, at the start and after each step. One number on each line.
program driver_example4
  implicit none
  external :: quat_step_gauss, frb_message
  double precision :: h, Tfin, aInert(3), Pi(3), q(4), qout(4), Piout(3)
  integer :: i, np
  character(len=200) :: message = ' '

  open (10, file='init_example4.dat', status='old', action='read')
  read (10, *) h, Tfin, Pi, q, aInert, np
  close (10)

  open (20, file='out_example4.dat', status='replace', action='write')
  write (20, '(g26.17)') Pi, q, 0d0
  do i = 1, nint(Tfin/h)
    call quat_step_gauss(Piout, qout, h, aInert, Pi, q, np)
    Pi = Piout
    q = qout
    call frb_message(message)
    if (message /= ' ') exit
    write (20, '(g26.17)') Pi, q, i*h
  end do
  close (20)

  if (message /= ' ') then
    print '(2a)', 'driver_example4: ', trim(message)
    stop 1
  end if
end program driver_example4
